import {launchWith} from '../core/confine.ts';
import type {Feature} from '../core/feature.ts';
import type {CoreOptions} from '../core/options.ts';
import type {PodParts} from '../core/pod-parts.ts';
import {createDiagnostics} from '../run/diagnostics/diagnostics.ts';

export type DiagnosticsOptions = {
	/** The commands that check files after an edit, by glob. */
	readonly diagnostics?: Readonly<Record<string, string>>;
};

/** The user's commands that check files after an edit. */
export function diagnosticsFeature({
	options: {diagnostics: commands = {}, env, clock},
	session: {scope, hub},
	permissions: {confinement},
}: PodParts<CoreOptions & DiagnosticsOptions>): Feature {
	const diagnostics = createDiagnostics({
		commands,
		cwd: scope.pwd,
		env,
		clock,
		onAlert: alert => hub.alert(alert),
		...(confinement !== undefined && {launch: launchWith(confinement, confinement.networkFor(false))}),
	});
	return {name: 'diagnostics', interceptors: {calls: signal => diagnostics.interceptor(signal)}};
}
