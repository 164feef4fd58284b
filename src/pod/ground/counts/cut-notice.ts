import {foldOf, providerFacts, wireOf, type Item, type RawOrigin, type Setup} from '../../../worker/index.ts';

/** The topic of a notice that the server dropped the beginning of a request. */
export const truncatedTopic = 'truncated';

/** The topic of a notice with the user's answer about a model: to send anyway, or to ignore the counts. */
export const countsTopic = 'counts';

/** Returns the id of the request that a notice is about, if this item is a notice of truncation. */
export function truncatedRequest(item: Item): string | undefined {
	const request = originOf(item, truncatedTopic)?.['request'];
	return typeof request === 'string' ? request : undefined;
}

/** Tells whether the history has a notice of truncation for the current model. */
export function hasTruncationNotice(items: readonly Item[]): boolean {
	const {model, noticed} = noticesIn(items);
	return noticed.has(model);
}

/** Returns the user's answer about the counts of the current model. */
export function countsAnswer(items: readonly Item[]): CountsAnswer | undefined {
	const {model, answers} = noticesIn(items);
	return answers.get(model);
}

export type CountsAnswer = 'send' | 'ignore';

/**
Tells whether the server of a model may drop the beginning of a prompt without an error. Hosted services and the wires
of the large providers answer such a prompt with an error. The result is false for inkpod's own models, because they
have no real counts.
*/
export function mayCut(setup: Pick<Setup, 'model' | 'settings'> | undefined): boolean {
	if (setup === undefined || wireOf(setup.model, setup.settings) !== 'openai-compatible') return false;
	const dialect = dialectOf(setup);
	return local.has(dialect) || dialect === 'safe' || dialect === 'strict';
}

/** Tells whether the server of a model is of a kind that usually runs on this machine. */
export function isOfLocalKind(setup: Pick<Setup, 'model' | 'settings'>): boolean {
	return mayCut(setup) && local.has(dialectOf(setup));
}

const local: ReadonlySet<unknown> = new Set(['ollama', 'lmstudio', 'llama.cpp', 'vllm']);

function dialectOf({model, settings}: Pick<Setup, 'model' | 'settings'>): unknown {
	return settings['dialect'] ?? providerFacts(model.slice(0, model.indexOf('/')))?.dialect ?? 'safe';
}

type Notices = {readonly model: string; readonly noticed: Set<string>; readonly answers: Map<string, CountsAnswer>};

const noticesIn = foldOf<Notices>(
	() => ({model: '', noticed: new Set(), answers: new Map()}),
	(notices, item) => {
		if (item.type === 'setup') return {...notices, model: item.model};
		if (truncatedRequest(item) !== undefined) notices.noticed.add(notices.model);
		const origin = originOf(item, countsTopic);
		const [answer, model] = [origin?.['answer'], origin?.['model']];
		if (typeof model === 'string' && (answer === 'send' || answer === 'ignore')) notices.answers.set(model, answer);
		return notices;
	},
);

function originOf(item: Item, topic: string): RawOrigin | undefined {
	const origin = item.type === 'message' && item.role === 'system' ? item.origin : undefined;
	return origin?.kind === 'notice' && origin['about'] === topic ? origin : undefined;
}
