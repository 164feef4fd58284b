import {realpath} from 'node:fs/promises';
import {basename, dirname} from 'node:path';
import type {Feature} from '../../core/feature.ts';
import type {CoreOptions} from '../../core/options.ts';
import type {PodParts} from '../../core/pod-parts.ts';
import type {Approvals} from '../../permissions/approval/approvals.ts';
import type {Env} from '../../ground/env/env.ts';
import type {Hub} from '../../run/status/hub.ts';
import type {ManifestContents, UntrustedManifest} from './load-manifest.ts';
import {hashContents, type TrustContent, type TrustSubject} from '../../permissions/trust/store.ts';
import {openTrustStore} from '../../permissions/trust/store.ts';
import {createTrust, type TrustOptions} from '../../permissions/trust/trust.ts';
import {manifestTexts} from './load-manifest.ts';

export type ManifestOptions = {
	/** The part of the project's file that applies only with the user's trust. */
	readonly untrusted?: UntrustedManifest;
};

/** Asks the user to trust the project's file. A child session does not ask again. */
export function manifestFeature({
	options: {untrusted, env, child},
	session: {
		user: {ask},
		hub,
		closing: {signal},
	},
	permissions: {approvals},
}: PodParts<CoreOptions & ManifestOptions>): Feature {
	return {
		name: 'manifest',
		start() {
			if (ask === undefined || untrusted === undefined || child !== undefined) return;
			void askToTrustManifest(untrusted, {env, ask, hub, approvals, signal});
		},
	};
}

/** Tells whether the user has already trusted exactly this text and link target. The function never asks the user. */
export async function isTrustedManifest(env: Env, manifest: ManifestContents): Promise<boolean> {
	const {subject, contents} = trustClaimOf(manifest);
	const store = await storeOf(env, manifest.file);
	const trusted = await store.read(subject);
	return trusted !== undefined && hashContents(trusted) === hashContents(contents);
}

type AskToTrustOptions = {
	readonly env: Env;
	readonly ask: NonNullable<TrustOptions['ask']>;
	readonly hub: Pick<Hub, 'alert'>;
	readonly approvals: Pick<Approvals, 'setProjectRules'>;
	/** The signal is aborted when the session closes. */
	readonly signal: AbortSignal;
};

/**
Asks the user whether to trust a manifest. The question shows the whole manifest, or its changes since the last
approval. If the user approves, the manifest's rules apply immediately, and its other settings apply from the next
start. The answer covers the exact text of this start.
*/
async function askToTrustManifest(
	manifest: UntrustedManifest,
	{env, ask, hub, approvals, signal}: AskToTrustOptions,
): Promise<void> {
	const {file, rules, startGrants, grants, warning} = manifest;
	const warn = (sentence: string) => hub.alert({level: 'warn', text: sentence});
	const trust = createTrust({store: async () => storeOf(env, file), ask, acceptPresent: false, onProblem: warn});
	const verdict = await trust.check(
		{...trustClaimOf(manifest), title: manifestTexts.trustTitle(file, grants)},
		signal,
	);
	if (verdict === 'denied') warn(warning);
	if (verdict !== 'trusted') return;
	approvals.setProjectRules(rules);
	if (startGrants.length > 0) hub.alert({level: 'info', text: manifestTexts.restartToApply(file, startGrants)});
}

function trustClaimOf({file, text, pwdTarget}: ManifestContents): {
	readonly subject: TrustSubject;
	readonly contents: readonly TrustContent[];
} {
	const link = pwdTarget === undefined ? [] : [{name: 'pwd leads to', text: pwdTarget}];
	return {subject: {kind: 'manifest', name: file}, contents: [{name: basename(file), text}, ...link]};
}

/**
Opens the trust store of the manifest's folder. The function does not use `pwd`, because `pwd` may depend on the answer.
*/
async function storeOf(env: Env, file: string): ReturnType<typeof openTrustStore> {
	return openTrustStore(env, await realpath(dirname(file)));
}
