import {createHistoryReader, type OriginRules, type RawOrigin} from '../../worker/index.ts';

/**
The meaning of origins for a run. Unknown origins are accepted, because another version of inkpod may have written
them.
*/
export const originRules: OriginRules = {
	startsRun: origin => isNotice(origin, 'notification') && origin['run'] === true,
	isAside: origin =>
		(isNotice(origin, 'notification') && origin['run'] !== true) ||
		asideKinds.has(origin.kind) ||
		asideNotices.some(about => isNotice(origin, about)),
	compactionOf: origin => (origin.kind === 'auto_read' ? String(origin['compaction']) : undefined),
	orphansIn({about, ids}) {
		return about === orphans && Array.isArray(ids) ? ids.filter(id => typeof id === 'string') : [];
	},
	orphanNotice: ids => ({kind: 'notice', about: orphans, ids}),
	cutNotice: {kind: 'notice', about: 'cut'},
};

/** Functions that read the context and an interruption from history alone. All of them are pure. */
export const {
	context,
	contextPieces,
	projectedItems,
	unansweredCalls,
	resumableCalls,
	interruption,
	missingRunEnd,
	closingResults,
} = createHistoryReader(originRules);

/** The origins of user commands and of the project's instructions. */
const asideKinds: ReadonlySet<string> = new Set(['shell', 'instructions']);

/** The notices about losses in a damaged file, and about the session's folder. */
const asideNotices: readonly string[] = ['torn', 'damaged', 'moved'];

const orphans = 'stray';

function isNotice(origin: RawOrigin, about: string): boolean {
	return origin.kind === 'notice' && origin['about'] === about;
}
