import type {Feature} from '../core/feature.ts';
import type {CoreOptions} from '../core/options.ts';
import type {PodParts} from '../core/pod-parts.ts';
import {isoTime} from '../../worker/index.ts';
import {notSigned} from './texts.ts';

export type RecordOptions = {
	/** The key that signs the session at the end of each run. If absent, inkpod does not sign by itself. */
	readonly signKey?: string | undefined;
};

/**
Signs the session at the end of each run, if its key needs no passphrase and no touch. A child is not signed, because
the history of its parent names the head of the child's history.
*/
export function recordFeature({
	options: {session, child, signKey, env, clock},
	session: {history, scope, warn},
}: PodParts<CoreOptions & RecordOptions>): Feature {
	const key = child === undefined ? signKey : undefined;
	if (key === undefined) return {name};
	const now = () => isoTime(clock.now());
	const load = async () => {
		const {createRunSigner} = await import('../disk/signatures/sign-runs.ts');
		return createRunSigner({session, key, env, pwd: scope.pwd, now});
	};
	let signer: ReturnType<typeof load> | undefined;
	let last: Promise<void> = Promise.resolve();
	const sign = async (items: number, sum: string) => {
		signer ??= load();
		const problem = await (await signer)({items, sum});
		if (problem === undefined || told.has(key)) return;
		told.add(key);
		warn(notSigned(problem));
	};
	const unobserve = history.observe(({type}) => {
		// No other item has been written after this batch yet, so its length and its sum belong together.
		const sum = type === 'run_end' ? session.sum?.() : undefined;
		const items = history.items.length;
		if (sum !== undefined) last = last.then(async () => sign(items, sum));
	});
	return {
		name,
		async stop() {
			unobserve();
			await last;
		},
	};
}

const name = 'record';

/** The keys about which this process has warned. */
const told = new Set<string>();
