import {
	addCost,
	answerEnd,
	costOf,
	noCost,
	type FinishedRequest,
	type ItemOf,
	type PriceList,
	type RequestEnd,
	type RequestItem,
	type Item,
	wholeUsage,
} from '../pod/protocol.ts';
import {type Block, type BlockOf, type RunTotals, itemsOf} from './block.ts';
import {blockOf, noRun, noTotals, push, setRun, update, type Step} from './fold-state.ts';
import {sanitizeLine} from '../text/sanitize.ts';
import {cut} from '../text/width.ts';
import {shortName} from './system-title.ts';
import {argumentSpans, toolName} from './tool-title.ts';
import {emptyText, itemNames, partLabels, undoneNames} from './texts.ts';

/**
Folds a request into the footer of its answer. A request item that inkpod 0.1.0 wrote follows its answer, and also says
how the answer ended.
*/
export function foldRequest(step: Step, item: RequestItem): void {
	loseAnswer(step);
	const end = answerEnd(item);
	if (end !== undefined) foldAnswerEnd(step, item, {...item, ...end});
	else {
		const {run} = step.state;
		const sent = push(step, item, id => ({kind: 'usage', id, open: step.open, item, run: run.totals}));
		setRun(step, {...run, sent, open: true, edge: sent});
	}
}

export function foldRequestEnd(step: Step, item: RequestEnd): void {
	const block = blockOf(step.state, item.request);
	const request = block?.kind === 'usage' && block.item?.type === 'request' ? block.item : undefined;
	const {model = '', requestHash = '', startedAt = item.endedAt} = request ?? {};
	foldAnswerEnd(step, item, {...item, model, requestHash, startedAt});
}

export function foldRunEnd(step: Step, item: ItemOf<'run_end'>): void {
	loseAnswer(step);
	const {totals, usage} = step.state.run;
	const block = usage === undefined ? undefined : (step.state.blocks[usage] as BlockOf<'usage'>);
	const closes =
		usage === step.state.blocks.length - 1 ||
		(item.outcome === 'finished' && answerEnd(block?.item)?.stop === 'end');
	if (usage !== undefined && block !== undefined && closes) update(step, usage, item, {...block, end: item});
	else push(step, item, id => ({kind: 'usage', id, open: step.open, end: item, run: totals}));
	setRun(step, {...noRun, edge: step.state.blocks.length - 1});
}

/**
If the answer to the last request has not ended, shows that the answer is lost. The end of this answer can no longer
follow. The row is after the received part of the answer, or replaces the row of the request if no part was received.
*/
export function loseAnswer(step: Step): void {
	const {run, blocks, prices} = step.state;
	if (run.sent === undefined) return;
	const block = blocks[run.sent] as BlockOf<'usage'> & {readonly item: RequestItem};
	const {item} = block;
	const own = addLost(noTotals, item, prices);
	const totals = addLost(run.totals, item, prices);
	const lost = {...block, lost: true, own, run: totals} as const;
	if (!blocks.slice(run.sent + 1).some(({kind}) => answerKinds.has(kind))) {
		update(step, run.sent, item, lost);
		setRun(step, {...run, totals, usage: run.sent, sent: undefined});
		return;
	}
	const usage = push(step, item, id => ({...lost, id, open: step.open}));
	setRun(step, {...run, totals, usage, sent: undefined, edge: usage});
}

/**
Returns the name by which other texts refer to an item: `File src/a.ts:10-20`, `read_file a.md`, `“the first words…”`.
The name is sanitized, short and on one line. Returns `undefined` if the block does not contain the item.
*/
export function itemName(block: Block | undefined, id: string): string | undefined {
	const item = block && itemsOf(block).find(one => one.id === id);
	if (block === undefined || item === undefined) return undefined;
	if (block.kind === 'system') {
		const part = block.parts.find(one => one.item === item);
		return part && cut(shortName(part), maxCells, '…');
	}
	if (block.kind === 'tool' && block.call !== undefined)
		return cut(
			`${toolName(block.call.name)}${argumentSpans(block.call, {}, {columns: maxCells})
				.map(({text}) => text)
				.join('')}`,
			maxCells,
			'…',
		);
	if (block.kind === 'notice' && 'origin' in block && block.origin?.kind === 'instructions')
		return cut(`${partLabels.instructions} ${sanitizeLine(block.origin.path)}`, maxCells, '…');
	return names[item.type] ?? ('text' in item ? `“${cut(wordsOf(item), maxCells, '…')}”` : sanitizeLine(item.type));
}

/**
Returns the name of a restored item. For a compaction, a rewind or a context change, the name says what is restored.
*/
export function restoredName(block: Block | undefined, id: string): string | undefined {
	const item = block && itemsOf(block).find(one => one.id === id);
	return (item && undone[item.type]) ?? itemName(block, id);
}

function foldAnswerEnd(step: Step, item: RequestItem | RequestEnd, request: FinishedRequest): void {
	const {run, prices} = step.state;
	const totals = addRequest(run.totals, request, prices);
	const own = addRequest(noTotals, request, prices);
	const usage = push(step, item, id => ({kind: 'usage', id, open: step.open, item, own, run: totals}));
	setRun(step, {totals, usage, sent: undefined, open: true, edge: usage});
}

/** Returns a run's totals after one more request. */
function addRequest(totals: RunTotals, request: FinishedRequest, prices: PriceList | undefined): RunTotals {
	const {model, startedAt, endedAt} = request;
	const usage = wholeUsage(request.usage);
	const ms = Date.parse(endedAt) - Date.parse(startedAt);
	return {
		model,
		requests: totals.requests + 1,
		...sum('input', totals.input, usage.input),
		...sum('output', totals.output, usage.output),
		...sum('cacheRead', totals.cacheRead, usage.cacheRead),
		ms: totals.ms + (ms > 0 ? ms : 0),
		startedAt: totals.startedAt ?? startedAt,
		...(prices !== undefined && {cost: addCost(totals.cost ?? noCost, costOf(request, prices))}),
	};
}

/**
Returns a run's totals after one more request if the answer to that request is lost. The cost of that request is
unknown.
*/
function addLost(totals: RunTotals, {model}: RequestItem, prices: PriceList | undefined): RunTotals {
	const cost = prices === undefined ? {} : {cost: addCost(totals.cost ?? noCost, undefined)};
	return {...totals, model, requests: totals.requests + 1, ...cost};
}

function sum<Key extends string>(
	key: Key,
	...counts: ReadonlyArray<number | undefined>
): {readonly [K in Key]?: number} {
	const known = counts.filter(count => count !== undefined);
	return (known.length === 0 ? {} : {[key]: known.reduce((total, count) => total + count, 0)}) as {
		readonly [K in Key]?: number;
	};
}

const answerKinds: ReadonlySet<Block['kind']> = new Set(['assistant', 'thinking', 'tool']);

const undone: Names = undoneNames;

const names: Names = itemNames;

type Names = {readonly [Type in Item['type']]?: string};

const maxCells = 48;

function wordsOf({text}: {readonly text: string}): string {
	return sanitizeLine(/\S[^\n]{0,200}/.exec(text)?.[0].toWellFormed() ?? emptyText);
}
