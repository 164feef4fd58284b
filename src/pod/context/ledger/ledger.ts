import {
	jointsOf,
	lastSetup,
	type ContextPiece,
	type Draft,
	type Item,
	type Joints,
	type Message,
	type SentPart,
} from '../../../worker/index.ts';
import {contextPieces} from '../../ground/history/reader.ts';
import {narrowOrigin, type FileState, type Ledger, type LedgerRow, type Origin, type OriginOf} from '../../protocol.ts';
import {contextTexts} from './texts.ts';
import {mediaTokens} from '../../ground/counts/estimate.ts';

type LedgerOptions = {
	/** Estimates the tokens of a text. */
	readonly estimate: (text: string) => number;
	/** The setup of the next request. Present only while history has no setup. */
	readonly setup?: Draft<'setup'>;
};

/**
Returns the ledger of a history: the contents of its next request. The function is pure and reads no files. `withStates`
adds the states of files.
*/
export function ledgerOf(items: readonly Item[], {estimate, setup = lastSetup(items)}: LedgerOptions): Ledger {
	const measure = (text: string) => ({bytes: Buffer.byteLength(text.toWellFormed()), tokens: estimate(text)});
	const {pieces: said, summarised} = contextPieces(items);
	const rows = [
		...(setup === undefined ? [] : setupRows(setup, measure)),
		...rowsOf(said, {measure, summarised, setup}),
	];
	return {model: setup?.model ?? '', rows, ...sumOf(rows), totals: totalsOf(rows)};
}

/** Returns the same ledger with the states of files, by the id of the item that shows each file. */
export function withStates(ledger: Ledger, states: readonly FileState[]): Ledger {
	const known = new Map(states.map(({id, state}) => [id, state]));
	return {
		...ledger,
		rows: ledger.rows.map(row => {
			const state = row.id === undefined ? undefined : known.get(row.id);
			return state === undefined ? row : {...row, state};
		}),
	};
}

/**
Returns the ids of the rows that show a file and are in the next request. A query can return the states of these files.
*/
export function shownFiles({rows}: Ledger): readonly string[] {
	return rows.flatMap(({id, kind, dropped}) =>
		id !== undefined && dropped !== true && (kind === 'file' || kind === 'auto_read') ? [id] : [],
	);
}

/** Returns the content of a part as text, including the data that only its provider uses. */
export function contentOf(part: SentPart): string {
	const provider = 'provider' in part && part.provider !== undefined ? JSON.stringify(part.provider) : '';
	if (part.type === 'result') return part.content;
	return (part.type === 'tool_call' ? part.name + part.arguments : part.text) + provider;
}

type Measure = (text: string) => Pick<LedgerRow, 'bytes' | 'tokens'>;
type RowContext = {
	readonly measure: Measure;
	readonly summarised: number;
	readonly setup: Draft<'setup'> | undefined;
};

function setupRows(setup: Draft<'setup'>, measure: Measure): LedgerRow[] {
	const id = 'id' in setup && typeof setup.id === 'string' ? {id: setup.id} : {};
	return [
		...(setup.prompt === ''
			? []
			: [{...id, kind: 'prompt' as const, label: contextTexts.systemPrompt, ...measure(setup.prompt)}]),
		...setup.tools.map((tool): LedgerRow => ({
			...id,
			kind: 'tool',
			label: labelOf(tool.deferred === undefined ? tool.name : contextTexts.deferring(tool.name, tool.deferred)),
			...measure(JSON.stringify(tool)),
		})),
	];
}

/** Returns the rows of the ledger. Text that joins a message to the previous message counts as part of the message. */
function rowsOf(pieces: readonly ContextPiece[], context: RowContext): readonly LedgerRow[] {
	const {setup} = context;
	const joints = setup && jointsOf(setup.model, setup.settings);
	let before: SentPart | 'prompt' | undefined = setup === undefined || setup.prompt === '' ? undefined : 'prompt';
	return pieces.map(piece => {
		const joint = joints === undefined ? '' : jointBetween(before, piece.part, joints, setup);
		before = piece.part ?? before;
		return rowOf(piece, joint, context);
	});
}

function jointBetween(
	before: SentPart | 'prompt' | undefined,
	part: SentPart | undefined,
	{afterPrompt, afterUser, afterResult}: Joints,
	setup: RowContext['setup'],
): string {
	if (part?.type !== 'words' || before === undefined) return '';
	if (before === 'prompt') return afterPrompt;
	if (before.type === 'result') return afterResult;
	return before.type === 'words' && mediaTokens(before.media, setup) === 0 ? afterUser : '';
}

function rowOf({item, part, pinned, pruned}: ContextPiece, joint: string, context: RowContext): LedgerRow {
	const size =
		part === undefined ? {bytes: 0, tokens: 0} : withMedia(context.measure(joint + contentOf(part)), part, context);
	if (item === undefined) return {kind: 'gap', label: contextTexts.gap, ...size};
	return {
		id: item.id,
		...describe(item, part, context),
		...size,
		...(pinned && {pinned}),
		...(pruned && {pruned}),
		...(part === undefined && {dropped: true}),
	};
}

function withMedia(text: ReturnType<Measure>, part: SentPart, {setup}: RowContext): ReturnType<Measure> {
	const media = part.type === 'words' ? part.media : undefined;
	const tokens = mediaTokens(media, setup);
	return media === undefined || tokens === 0 ? text : {bytes: text.bytes + media.bytes, tokens: text.tokens + tokens};
}

type Description = Pick<LedgerRow, 'kind' | 'label' | 'path' | 'range' | 'body' | 'summarised'>;

function describe(item: Item, part: SentPart | undefined, {summarised}: RowContext): Description {
	if (item.type === 'message') return describeMessage(item);
	if (item.type === 'compaction') return {kind: 'summary', label: contextTexts.summary, summarised};
	if (item.type === 'tool_call') return {kind: 'call', label: labelOf(`${item.name} ${item.arguments}`)};
	if (item.type === 'tool_result')
		return {
			kind: 'result',
			label: labelOf(part?.type === 'result' ? `${part.name} ${item.summary}` : item.summary),
		};
	return {
		kind: item.type === 'reasoning' ? 'thought' : 'system',
		label: item.type === 'reasoning' ? labelOf(item.text) : item.type,
	};
}

function describeMessage({role, text, origin: raw}: Message): Description {
	if (role !== 'system') return {kind: role, label: labelOf(text)};
	const origin = narrowOrigin(raw);
	if (origin === undefined || origin.kind === 'submit') return {kind: 'system', label: labelOf(text)};
	return {
		kind: origin.kind,
		label: labelOf(text),
		...originFacts(origin),
	};
}

const fileFacts = ({
	path,
	range,
	bytes,
	totalBytes,
}: OriginOf<'file'> | OriginOf<'auto_read'>): Partial<Description> => ({
	label: labelOf(path),
	path,
	range,
	body: {bytes, totalBytes},
});

function originFacts(origin: Origin): Partial<Description> {
	const {kind} = origin;
	if (kind === 'file' || kind === 'auto_read') return fileFacts(origin);
	if (kind === 'dir' || kind === 'image' || kind === 'document' || kind === 'instructions' || kind === 'editor')
		return {label: labelOf(origin.path), path: origin.path};
	if (kind === 'web')
		return {label: labelOf(origin.finalUrl), body: {bytes: origin.sentBytes, totalBytes: origin.textBytes}};
	if (kind === 'resource')
		return {
			label: labelOf(`${origin.server}:${origin.uri}`),
			body: {bytes: origin.bytes, totalBytes: origin.totalBytes},
		};
	if (kind === 'prompt') return {label: labelOf(`/${origin.server}:${origin.name}`)};
	if (kind === 'workflow') return {label: labelOf(`/${origin.slug}`)};
	if (kind === 'knowledge') return {label: labelOf(`#${origin.slug} for /${origin.workflow}`)};
	if (kind === 'shell')
		return {label: labelOf(origin.command), body: {bytes: origin.bytes, totalBytes: origin.totalBytes}};
	return {};
}

const maxLabel = 200;

function labelOf(text: string): string {
	return text.trimStart().slice(0, maxLabel).replace(/\n.*/s, '').toWellFormed();
}

function sumOf(rows: readonly LedgerRow[]): {readonly bytes: number; readonly tokens: number} {
	return {
		bytes: rows.reduce((all, row) => all + row.bytes, 0),
		tokens: rows.reduce((all, row) => all + row.tokens, 0),
	};
}

function totalsOf(rows: readonly LedgerRow[]): Ledger['totals'] {
	const byKind = Map.groupBy(
		rows.filter(({dropped}) => dropped !== true),
		({kind}) => kind,
	);
	return [...byKind].map(([kind, of]) => ({kind, rows: of.length, ...sumOf(of)}));
}
