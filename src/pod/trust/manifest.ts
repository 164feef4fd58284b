import {realpath} from 'node:fs/promises';
import {basename, dirname} from 'node:path';
import type {Approvals} from '../approval/approvals.ts';
import type {Env} from '../env/env.ts';
import type {Hub} from '../status/hub.ts';
import {quoteUntrusted} from '../text/quote-untrusted.ts';
import type {ManifestContents, UntrustedManifest} from '../manifest/load-manifest.ts';
import {hashOf, type TrustContent, type TrustSubject} from './contents.ts';
import {openTrustStore} from './store.ts';
import {createTrust, type TrustOptions} from './trust.ts';

/** Whether the person trusted exactly this text of a manifest before, and where its `pwd` leads. Asks nobody. */
export async function isTrustedManifest(env: Env, manifest: ManifestContents): Promise<boolean> {
	const {subject, contents} = claimOf(manifest);
	const store = await storeOf(env, manifest.file);
	const trusted = await store.read(subject);
	return trusted !== undefined && hashOf(trusted) === hashOf(contents);
}

export type Offer = {
	readonly env: Env;
	readonly ask: NonNullable<TrustOptions['ask']>;
	readonly hub: Pick<Hub, 'alert'>;
	readonly approvals: Pick<Approvals, 'setProjectRules'>;
	/** The session is closed. */
	readonly signal: AbortSignal;
};

/**
Asks the person whether they trust a manifest, with the whole of it or its changes. When they do, its rules count at
once; all else is what a session begins with, and counts from the next start. The answer is about the very text that was
read at this start.
*/
export async function offerManifest(
	manifest: UntrustedManifest,
	{env, ask, hub, approvals, signal}: Offer,
): Promise<void> {
	const {file, rules, later, gains, warning} = manifest;
	const warn = (sentence: string) => hub.alert({level: 'warn', text: sentence});
	const trust = createTrust({store: async () => storeOf(env, file), ask, acceptPresent: false, onTrouble: warn});
	const verdict = await trust.check(
		{...claimOf(manifest), title: `Trust ${quoteUntrusted(file)}? It sets ${gains.join(', ')}.`},
		signal,
	);
	if (verdict === 'denied') warn(warning);
	if (verdict !== 'trusted') return;
	approvals.setProjectRules(rules);
	if (later.length > 0)
		hub.alert({
			level: 'info',
			text: `What ${quoteUntrusted(file)} sets of ${later.join(', ')} counts from the next start.`,
		});
}

function claimOf({file, text, leads}: ManifestContents): {
	readonly subject: TrustSubject;
	readonly contents: readonly TrustContent[];
} {
	const link = leads === undefined ? [] : [{name: 'pwd leads to', text: leads}];
	return {subject: {kind: 'manifest', name: file}, contents: [{name: basename(file), text}, ...link]};
}

/** By the folder that it lies in: `pwd` may be another one before and after it is trusted. */
async function storeOf(env: Env, file: string): ReturnType<typeof openTrustStore> {
	return openTrustStore(env, await realpath(dirname(file)));
}
