import {createHistoryReader, type OriginRules, type RawOrigin} from '../../../worker/index.ts';
import {acceptedTopic, answeredTopic} from '../../protocol/answered.ts';
import {mediaOf} from './media-of.ts';

/**
The rules that give the origins of items their meaning in a run. Unknown origins are accepted, because another version
of inkpod may have written them.
*/
export const originRules: OriginRules = {
	startsRun: origin => isNotice(origin, 'notification') && origin['run'] === true,
	isAside: origin =>
		(isNotice(origin, 'notification') && origin['run'] !== true) ||
		asideKinds.has(origin.kind) ||
		asideNotices.some(about => isNotice(origin, about)),
	compactionOf: origin => (origin.kind === 'auto_read' ? String(origin['compaction']) : undefined),
	mediaOf,
	isUnsent,
	orphansIn({about, ids}) {
		return about === orphans && Array.isArray(ids) ? ids.filter(id => typeof id === 'string') : [];
	},
	orphanNotice: ids => ({kind: 'notice', about: orphans, ids}),
	cutNotice: {kind: 'notice', about: 'cut'},
};

/** Functions that read the context and an interruption from history alone. All of them are pure. */
export const {
	context,
	composeRequest,
	attributeRequest,
	contextPieces,
	projectedItems,
	unansweredCalls,
	resumableCalls,
	interruption,
	missingRunEnd,
	closingResults,
} = createHistoryReader(originRules);

/**
The origins of user commands, instructions, plan mode and attached side answers, which are outside the conversation.
*/
const asideKinds: ReadonlySet<string> = new Set(['shell', 'instructions', 'plan', 'btw']);

/**
The notices about losses in a damaged file, about the session's folder, about requests that a server cut, and about
answers from a model that inkpod did not request.
*/
const asideNotices: readonly string[] = [
	'torn',
	'damaged',
	'moved',
	'rescued',
	'truncated',
	'counts',
	answeredTopic,
	acceptedTopic,
];

const orphans = 'stray';

/** Tells whether a message is only for the user. */
export function isUnsent(origin: RawOrigin | undefined): boolean {
	return origin?.kind === 'notice' && origin['sent'] === false;
}

function isNotice(origin: RawOrigin, about: string): boolean {
	return origin.kind === 'notice' && origin['about'] === about;
}
