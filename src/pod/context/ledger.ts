import {lastSetup, type Draft, type Item, type Message, type ContextPiece, type SentPart} from '../../worker/index.ts';
import {contextPieces} from '../history/reader.ts';
import {narrowOrigin, type FileState, type Ledger, type LedgerRow, type Origin, type OriginOf} from '../protocol.ts';

export type LedgerOptions = {
	/** About how many tokens a text is. */
	readonly estimate: (text: string) => number;
	/** What the next request is made with, while history does not say it. */
	readonly setup?: Draft<'setup'>;
};

/** The ledger of a history: what its next request holds. Pure. Files are not looked at: see `withStates`. */
export function ledgerOf(items: readonly Item[], {estimate, setup = lastSetup(items)}: LedgerOptions): Ledger {
	const measure = (text: string) => ({bytes: Buffer.byteLength(text.toWellFormed()), tokens: estimate(text)});
	const {pieces: said, summarised} = contextPieces(items);
	const rows = [
		...(setup === undefined ? [] : setupRows(setup, measure)),
		...said.map(piece => rowOf(piece, {measure, summarised})),
	];
	return {model: setup?.model ?? '', rows, ...sumOf(rows), totals: totalsOf(rows)};
}

/** The same with what became of the files, by the id of the item that shows them. */
export function withStates(ledger: Ledger, states: readonly FileState[]): Ledger {
	const known = new Map(states.map(({id, state}) => [id, state]));
	return {
		...ledger,
		rows: ledger.rows.map(row =>
			row.id !== undefined && known.has(row.id) ? {...row, state: known.get(row.id)!} : row,
		),
	};
}

/** The ids of the rows that show a file and are sent: of these it can be asked what became of it. */
export function shownFiles({rows}: Ledger): readonly string[] {
	return rows.flatMap(({id, kind, dropped}) =>
		id !== undefined && dropped !== true && (kind === 'file' || kind === 'auto_read') ? [id] : [],
	);
}

/** The content of a part, as text. What its provider wants back is content, too. */
export function contentOf(part: SentPart): string {
	const provider = 'provider' in part && part.provider !== undefined ? JSON.stringify(part.provider) : '';
	if (part.type === 'result') return part.content;
	return (part.type === 'tool_call' ? part.name + part.arguments : part.text) + provider;
}

type Measure = (text: string) => Pick<LedgerRow, 'bytes' | 'tokens'>;
type Context = {readonly measure: Measure; readonly summarised: number};

function setupRows(setup: Draft<'setup'>, measure: Measure): LedgerRow[] {
	const id = 'id' in setup && typeof setup.id === 'string' ? {id: setup.id} : {};
	return [
		...(setup.prompt === ''
			? []
			: [{...id, kind: 'prompt' as const, label: 'System prompt', ...measure(setup.prompt)}]),
		...setup.tools.map((tool): LedgerRow => ({
			...id,
			kind: 'tool',
			label: labelOf(tool.name),
			...measure(JSON.stringify(tool)),
		})),
	];
}

function rowOf({item, part, pinned}: ContextPiece, context: Context): LedgerRow {
	const size = part === undefined ? {bytes: 0, tokens: 0} : context.measure(contentOf(part));
	if (item === undefined) return {kind: 'gap', label: 'Something is left out here', ...size};
	return {
		id: item.id,
		...describe(item, part, context),
		...size,
		...(pinned && {pinned}),
		...(part === undefined && {dropped: true}),
	};
}

type Description = Pick<LedgerRow, 'kind' | 'label' | 'path' | 'range' | 'body' | 'summarised'>;

function describe(item: Item, part: SentPart | undefined, {summarised}: Context): Description {
	if (item.type === 'message') return describeMessage(item);
	if (item.type === 'compaction') return {kind: 'summary', label: 'Summary', summarised};
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
		...(originFacts[origin.kind] as ((origin: Origin) => Partial<Description>) | undefined)?.(origin),
	};
}

const ofFile = ({path, range, bytes, totalBytes}: OriginOf<'file'> | OriginOf<'auto_read'>): Partial<Description> => ({
	label: labelOf(path),
	path,
	...(range && {range}),
	body: {bytes, totalBytes},
});

const originFacts: {readonly [Kind in Origin['kind']]?: (origin: OriginOf<Kind>) => Partial<Description>} = {
	file: ofFile,
	auto_read: ofFile,
	dir: ({path}) => ({label: labelOf(path), path}),
	instructions: ({path}) => ({label: labelOf(path), path}),
	workflow: ({slug}) => ({label: labelOf(`/${slug}`)}),
	knowledge: ({slug, workflow}) => ({label: labelOf(`#${slug} for /${workflow}`)}),
	shell: ({command, bytes, totalBytes}) => ({label: labelOf(command), body: {bytes, totalBytes}}),
};

const longestLabel = 200;

function labelOf(text: string): string {
	return text.trimStart().slice(0, longestLabel).split('\n', 1)[0]!.toWellFormed();
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
