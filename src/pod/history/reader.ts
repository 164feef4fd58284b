import {createHistoryReader, type OriginRules, type RawOrigin} from '../../worker/index.ts';

/** What origins mean to a run. They are read loosely, because a history may be from an older or newer inkpod. */
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

/** Reads the context, and whether the last run was interrupted, from history alone. All functions are pure. */
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

/** Commands that the user ran, and the project's instructions. */
const asideKinds: ReadonlySet<string> = new Set(['shell', 'instructions']);

/** What a damaged file lost, and where the session works. */
const asideNotices: readonly string[] = ['torn', 'damaged', 'moved'];

const orphans = 'stray';

function isNotice(origin: RawOrigin, about: string): boolean {
	return origin.kind === 'notice' && origin['about'] === about;
}
