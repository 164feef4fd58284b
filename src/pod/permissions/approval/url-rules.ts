import type {CallFacts, Interceptor, ToolCall, ToolOutput} from '../../../worker/index.ts';
import type {Answer} from './asks.ts';
import type {Ask} from '../../protocol.ts';
import {fetchFacts} from '../../protocol/tool-definitions.ts';
import type {InspectedCall, Judge} from './judge.ts';
import {refusalOutput, type Refusal} from './refusal.ts';
import {firstMatch, type Rule} from './rule.ts';
import {urlSubject} from './subject.ts';
import {cardTexts, urlTexts} from './texts.ts';
import {namesAddress} from './url-match.ts';

/** Decisions about web addresses that are reached during a fetch. */
export type UrlRules = {
	/**
	Decides about a redirect as about a new call. On the same site only a rule can refuse the redirect or require a
	card.
	*/
	redirect(redirect: Redirect, run: AbortSignal): Promise<UrlVerdict>;
	/** Asks about a host whose address cannot be checked. No rule, mode or earlier answer counts. */
	unchecked(url: URL, callId: string, run: AbortSignal): Promise<UrlVerdict>;
	/**
	Tells whether a rule allows a private address. `address` is the URL with the IP address in place of the host name.
	*/
	allowsPrivate(url: URL, address: URL): boolean;
};

type Redirect = {
	readonly from: URL;
	readonly to: URL;
	readonly isSameSite: boolean;
	/** The id of the call that is redirected. It is empty for an address in a message. */
	readonly callId: string;
};

type UrlVerdict = {readonly ok: true} | {readonly ok: false; readonly sentence: string; readonly output: ToolOutput};

type UrlRulesOptions = {
	readonly judge: Judge;
	readonly judgeCall: (call: ToolCall, facts: CallFacts, run: AbortSignal) => ReturnType<PreToolCall>;
	readonly ask?: ((question: Omit<Ask, 'id'>, signal: AbortSignal) => Promise<Answer | undefined>) | undefined;
};
type PreToolCall = NonNullable<Interceptor['preToolCall']>;

export function createUrlRules({judge, judgeCall, ask}: UrlRulesOptions): UrlRules {
	return {
		async redirect({from, to, isSameSite, callId}, run) {
			const inspected = await judge.inspect(fetchFacts.name, fetchFacts.effect, urlSubject(to.href));
			if (isSameSite && !isLimitedByRule(judge, inspected)) return {ok: true};
			const args = {url: to.href};
			const preview = async () =>
				({
					title: urlTexts.redirect,
					detail: urlTexts.redirected(from.href, to.href),
					shows: 'text',
				}) as const;
			const facts: CallFacts = {effect: fetchFacts.effect, mayHaveRun: false, args, preview};
			const judgement = await judgeCall(fetchCall(callId, args), facts, run);
			run.throwIfAborted();
			return judgement.type === 'result' ? refused(judgement.output) : {ok: true};
		},
		async unchecked(url, callId, run) {
			const refuse = (refusal: Refusal) => refused(refusalOutput(fetchFacts.name, refusal, url.href));
			if (ask === undefined) return refuse({type: 'unattended'});
			const answer = await ask({callId, title: urlTexts.unchecked, detail: url.href, choices}, run);
			run.throwIfAborted();
			return answer?.choice === 'allow' ? {ok: true} : refuse({type: 'user', reason: answer?.reason});
		},
		allowsPrivate(url, address) {
			const lists = judge.rules();
			const named = urlSubject(address.href);
			const all = [lists.user, lists.project];
			if (all.some(rules => firstMatch(rules, fetchFacts.name, named)?.action === 'deny')) return false;
			const subjects = isLocal(url, address) ? [named, urlSubject(url.href)] : [named];
			return all.some(rules => {
				const allowing = rules.filter(allowsAddresses);
				return subjects.some(subject => firstMatch(allowing, fetchFacts.name, subject) !== undefined);
			});
		},
	};
}

const choices = [
	{choice: 'allow', label: cardTexts.once},
	{choice: 'deny', label: cardTexts.deny, refuses: true, reason: true},
];

function isLimitedByRule(judge: Judge, inspected: InspectedCall): boolean {
	const decision = judge.judge(inspected);
	return decision.type === 'deny' || (decision.type === 'ask' && decision.reason === 'rule');
}

function allowsAddresses({action, match}: Rule): boolean {
	return action === 'allow' && match !== undefined && namesAddress(match);
}

/** A rule may use the name `localhost` in place of the addresses of this machine. */
function isLocal(url: URL, address: URL): boolean {
	const isName = /^(?:[a-z\d-]+\.)*localhost$/.test(url.hostname);
	return isName && (address.hostname.startsWith('127.') || address.hostname === '[::1]');
}

function fetchCall(callId: string, args: object): ToolCall {
	return {type: 'tool_call', id: '', at: '', callId, name: fetchFacts.name, arguments: JSON.stringify(args)};
}

function refused(output: ToolOutput): UrlVerdict {
	return {ok: false, sentence: output.summary, output};
}
