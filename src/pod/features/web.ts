import {isIP} from 'node:net';
import type {Approvals} from '../permissions/approval/approvals.ts';
import {refusalOutput} from '../permissions/approval/refusal.ts';
import {networkOf} from '../ground/env/env.ts';
import {webRefReader} from '../references/submission/web-ref.ts';
import {fetchFacts} from '../protocol/tool-definitions.ts';
import {failure, fetchTool} from '../tools/web/fetch.ts';
import {isPublicAddress} from '../tools/web/addresses.ts';
import type {Guard, Verdict} from '../tools/web/fetch-page.ts';
import type {WebReader, WebReaderOptions} from '../tools/web/fetch-text.ts';
import {hostOf} from '../ground/text/web-url.ts';
import type {Feature} from '../core/feature.ts';
import type {CoreOptions} from '../core/options.ts';
import type {PodParts} from '../core/pod-parts.ts';

export type WebOptions = {
	/** The name look-up and the time limits of web pages. Tests replace them. */
	readonly web?: Pick<WebReaderOptions, 'resolve' | 'limits'>;
};

/** Web pages: the model's tool, and the reader of web addresses in messages. */
export function webFeature({
	options: {env, clock, limits, toolHooks, web},
	permissions: {
		approvals: {urls},
	},
}: PodParts<CoreOptions & WebOptions>): Feature {
	let opened: Promise<WebReader> | undefined;
	const reader = async () =>
		(opened ??= import('../tools/web/fetch-text.ts').then(({createWebReader}) =>
			createWebReader({clock, network: networkOf(env), ...web}),
		));
	const guard = (callId: string, hook: CoreOptions['toolHooks']): Guard => ({
		async redirect(from, to, isSameSite, signal) {
			const refused = await hookRefusal(hook, callId, to, signal);
			return refused ?? urls.redirect({from, to, isSameSite, callId}, signal);
		},
		unchecked: async (url, signal) => urls.unchecked(url, callId, signal),
		allowsPrivate: (url, address) => urls.allowsPrivate(url, address),
	});
	const tool = fetchTool({
		reader,
		guard: callId => guard(callId, toolHooks),
		problem: url => privateProblem(url, urls),
		maxOutputBytes: limits.tools.maxOutputBytes,
	});
	return {name: 'web', tools: [tool], references: {web: webRefReader(reader, guard('', undefined))}};
}

/**
Returns the reason why a hook forbids a redirect. A hook that refuses a call for an address also forbids redirects to
this address.
*/
async function hookRefusal(
	hook: CoreOptions['toolHooks'],
	callId: string,
	to: URL,
	signal: AbortSignal,
): Promise<Verdict | undefined> {
	const {name} = fetchFacts;
	const verdict = await hook?.before?.({callId, tool: name, args: {url: to.href}}, signal);
	if (verdict === undefined || verdict.type === 'continue') return undefined;
	const output = refusalOutput(name, {type: 'hook', reason: verdict.reason}, to.href);
	return {ok: false, sentence: output.summary, output};
}

/** Returns the reason for refusing an address that can only be private. The function does not look up a host name. */
function privateProblem(url: URL, urls: Approvals['urls']): string | undefined {
	const host = hostOf(url);
	const address = new URL(url);
	if (/^(?:.*\.)?localhost$/.test(host)) address.hostname = '127.0.0.1';
	else if (isIP(host) === 0 || isPublicAddress(host)) return undefined;
	return urls.allowsPrivate(url, address) ? undefined : failure('private', host);
}
