import {
	narrowDetails,
	shownResult,
	toolFactsOf,
	type ToolCall,
	type ToolDetails,
	type ToolFacts,
	type ToolResult,
} from '../../pod/protocol.ts';
import {sanitizeLine} from '../../text/sanitize.ts';
import {spansText, type Span, type Style} from '../../text/span.ts';
import type {BlockOf, ChildItems} from '../../transcript/block.ts';
import {effectWords} from '../../transcript/command-effects.ts';
import {argumentSpans, argumentText, summaryBeside, toolName, toolWord} from '../../transcript/tool-title.ts';
import {hasOwnRows, ownRows} from './parts/own-rows.ts';
import {diffCounts, diffRows, plainDiff} from './parts/tool-arguments.ts';
import {formatBytes, formatDuration} from '../../text/formats.ts';
import type {Phase} from '../../transcript/phase.ts';
import {storedRows, type Row} from '../spans/row.ts';
import {childFacts} from './parts/tool-arguments.ts';
import {outputRows, withoutBlankEnds} from './parts/tool-arguments.ts';
import {bodyLayout, preview, showsAll, type RenderContext, type Renderer} from './parts/render.ts';
import {argumentGutter, argumentRows} from './parts/tool-arguments.ts';
import {
	callStates,
	denials,
	endedBySignal,
	exitText,
	inBackground,
	needsAnswer,
	modelReads,
	noOutput,
	orphanedResult,
	spokenLabels,
	timedOut,
} from '../../transcript/texts.ts';

/**
Renders a call and its result: the name, the main argument, the phase, and a part of the output. A call that only read
something is one row, because the head says what was read. For a command, the block shows the end of the output. For an
edit, it shows the diff.
*/
export const toolRenderer: Renderer<'tool'> = {
	apart: true,
	folds: true,
	isLine: block => !showsResult(block) && !hasOwnRows(block),
	head(block, context) {
		const state = states[stateOf(block, context)];
		return {
			gutter: {text: `${state.glyph} `, style: state.style},
			spans: [
				{text: nameOf(block, context), style: 'dim'},
				...(block.call === undefined ? [] : argumentSpans(block.call, detailsOf(block), context)),
				...aside(block, context),
			],
		};
	},
	body(block, context) {
		const {call, result} = block;
		const isDetail = context.view === 'detail';
		const own = ownRows(block, context);
		const isRepeated = !showsAll(context) && (own !== undefined || showsDiff(block));
		const args = isDetail && call !== undefined && !isRepeated ? callRows(call, context) : [];
		if (own !== undefined) return [...args, ...own];
		if (result === undefined || (isDetail ? shownResult(result) === result.summary : !showsResult(block)))
			return args;
		return [...args, ...resultRows(block, result, context)];
	},
};

/** Returns the rows of the arguments of a call, and those about where they came from. */
function callRows(call: ToolCall, context: RenderContext): readonly Row[] {
	const origins = showsAll(context) ? (context.originsOf?.(call.callId) ?? []) : [];
	return [
		...argumentRows(call, context),
		...origins.flatMap(text => storedRows(sanitizeLine(text), bodyLayout(context, argumentGutter), 'warn')),
	];
}

/** Returns the word for a call. The detail view uses the tool name that the model wrote. */
function nameOf({call, written}: BlockOf<'tool'>, context: RenderContext): string {
	if (call === undefined) return orphanedResult;
	if (!showsAll(context)) return toolWord(call.name);
	return [written, call].flatMap(each => (each === undefined ? [] : [toolName(each.name)])).join(' ');
}

/** Tells whether the normal view shows a part of the result below the head. */
function showsResult(block: BlockOf<'tool'>): boolean {
	const {call, result, open} = block;
	if (result === undefined || shownResult(result) === result.summary || (result.content === '' && !open))
		return false;
	const {command, denied} = detailsOf(block);
	if (denied !== undefined && !open) return false;
	if (isCommand(block)) return command === undefined || (command.background !== true && command.bytes > 0);
	if (block.child !== undefined) return block.child.started?.background !== true;
	return open || result.isError || factsOf(call)?.effect !== 'read';
}

function resultRows(block: BlockOf<'tool'>, result: ToolResult, context: RenderContext): readonly Row[] {
	const isLive = block.open;
	const state = stateOf(block, context);
	const empty = isLive ? '' : noOutput;
	if (isCommand(block)) {
		const output = showsAll(context) || isLive ? result.content : shownOutput(block, result);
		const hasRun = detailsOf(block).command !== undefined && block.call !== undefined;
		const failed = state === 'failed' && hasRun ? argumentText(block.call) : undefined;
		return outputRows(output, context, isLive ? 'running' : state === 'done' ? 'done' : 'failed', {empty, failed});
	}
	const read = showsAll(context) ? readRows(result, context) : [];
	const shown = read.length > 0 ? narrowDetails(result.details).diff : shownResult(result);
	const diff = isEdit(block) && !isLive ? diffRows(shown ?? '', context) : undefined;
	if (diff !== undefined) return [...diff, ...read];
	const from = isLive || state === 'interrupted' || result.partialOf !== undefined ? 'end' : 'start';
	return preview(result.content, context, {
		...(result.isError && {style: () => 'error'}),
		from,
		empty,
	});
}

/** Returns the rows of the text that the model reads instead of the diff, for the detail view. */
function readRows({content, details}: ToolResult, context: RenderContext): readonly Row[] {
	if (details?.['diff'] === undefined) return [];
	return preview(modelReads(content), context, {from: 'start', empty: ''});
}

/**
Returns the output of a command. If the result has no facts about the command, the command was not run, and the result
says why.
*/
function shownOutput(block: BlockOf<'tool'>, result: ToolResult): string {
	const {command, interrupted} = detailsOf(block);
	const isReason = result.isError && command === undefined;
	return isReason || interrupted !== undefined ? result.content : withoutEnding(result);
}

/** Removes the last line of a command's result if it only repeats the title. */
function withoutEnding({content, summary}: ToolResult): string {
	const ending = `[${summary}]`;
	return content.endsWith(ending) ? content.slice(0, -ending.length) : content;
}

/** Tells whether the call ran a command. The output of a command may contain its own colours. */
function isCommand(block: BlockOf<'tool'>): boolean {
	return factsOf(block.call)?.subject.kind === 'command' || detailsOf(block).command !== undefined;
}

/** Tells whether the result may be a diff. This depends on the tool, not on the text. */
function isEdit(block: BlockOf<'tool'>): boolean {
	const {call, result} = block;
	return result?.isError === false && (factsOf(call)?.effect === 'write' || detailsOf(block).changed !== undefined);
}

/** Returns the text of a result for an opened block. */
export function openedResult(block: BlockOf<'tool'>): string {
	const {result} = block;
	if (result === undefined) return '';
	if (isCommand(block)) return withoutBlankEnds(shownOutput(block, result));
	return showsDiff(block) ? plainDiff(shownResult(result)) : result.content;
}

/** Tells whether the result is a diff. The diff then shows the same change as the arguments. */
export function showsDiff(block: BlockOf<'tool'>): boolean {
	const {result, open} = block;
	return result !== undefined && !open && isEdit(block) && diffCounts(shownResult(result)) !== undefined;
}

function factsOf(call: ToolCall | undefined): ToolFacts | undefined {
	return call && toolFactsOf(call.name);
}

function detailsOf({result}: BlockOf<'tool'>): ToolDetails {
	return result?.details === undefined ? {} : narrowDetails(result.details);
}

/** Returns the text of a call for a screen reader, such as `Tool bash, finished: npm test, exit 0`. */
export function toolWords(block: BlockOf<'tool'>, facts: Pick<RenderContext, 'phase' | 'columns'>): string {
	const {call} = block;
	const name = call === undefined ? orphanedResult : `${spokenLabels.tool} ${toolName(call.name)}`;
	const about = call === undefined ? '' : spansText(argumentSpans(call, detailsOf(block), facts)).trim();
	const {spoken}: CallText = callStates[stateOf(block, facts)];
	const [state, ...rest] = [...(spoken === undefined ? [] : [spoken]), ...asideTexts(block, facts)];
	const effects = effectWords(detailsOf(block));
	const more = [about, ...rest, ...effects].filter(text => text !== '').join(', ');
	return `${name}, ${state}${more === '' ? '' : `: ${more}`}`;
}

type State = keyof typeof callStates;
type CallText = {readonly shown: string; readonly spoken?: string};

const states: {readonly [Name in State]: {readonly glyph: string; readonly style: Style}} = {
	preparing: {glyph: '◦', style: 'dim'},
	asking: {glyph: '?', style: 'warn'},
	queued: {glyph: '◦', style: 'dim'},
	running: {glyph: '◔', style: 'info'},
	background: {glyph: '◔', style: 'info'},
	interrupted: {glyph: '■', style: 'warn'},
	denied: {glyph: '×', style: 'error'},
	failed: {glyph: '×', style: 'error'},
	done: {glyph: '●', style: 'ok'},
};

/** Maps the phase of a call without a result to its state. */
const phases: {readonly [Name in Phase]: State} = {
	asking: 'asking',
	queued: 'queued',
	running: 'running',
	background: 'background',
	waiting: 'interrupted',
};

function stateOf(block: BlockOf<'tool'>, {phase}: Pick<RenderContext, 'phase'>): State {
	const {call, result, open, child} = block;
	if (child !== undefined && isAnswered(block)) return childState(child);
	if (open) return result === undefined && call !== undefined ? 'preparing' : 'running';
	if (!isAnswered(block)) return phases[phase];
	const {denied, interrupted} = detailsOf(block);
	if (denied !== undefined) return 'denied';
	if (interrupted !== undefined) return 'interrupted';
	if (hasFailed(block)) return 'failed';
	return phase === 'background' ? 'background' : 'done';
}

/** Returns the state of a call that started a child session, which may still run in the background. */
function childState({ended}: ChildItems): State {
	if (ended === undefined) return 'background';
	return ended.outcome === 'finished' ? 'done' : ended.outcome === 'failed' ? 'failed' : 'interrupted';
}

/** Tells whether a call has its result. The partial output of a stopped call is not a result. */
function isAnswered({call, result}: BlockOf<'tool'>): boolean {
	return result !== undefined && (result.partialOf === undefined || call === undefined);
}

/**
Tells whether a call failed. A command with a non-zero exit code counts as failed, even if the tool reports no error.
*/
function hasFailed(block: BlockOf<'tool'>): boolean {
	const {exitCode = 0, signal, timedOut} = detailsOf(block).command ?? {};
	return block.result?.isError === true || exitCode !== 0 || signal !== undefined || timedOut === true;
}

/** Returns the spans after the title. The success of a command is not mentioned, except in the detail view. */
function aside(block: BlockOf<'tool'>, context: RenderContext): Span[] {
	const isError = states[stateOf(block, context)].style === 'error';
	const isShown = (text: string) => showsAll(context) || text !== exitText(0);
	return [
		...asideTexts(block, context)
			.filter(isShown)
			.map((text): Span => ({text: ` · ${text}`, style: isError ? 'error' : 'dim'})),
		...effectWords(detailsOf(block)).map((text): Span => ({text: ` · ${text}`, style: 'dim'})),
	];
}

function asideTexts(block: BlockOf<'tool'>, facts: Pick<RenderContext, 'phase'>): readonly string[] {
	const {result, open, child} = block;
	if (child !== undefined && stateOf(block, facts) !== 'asking') return childFacts(child);
	const time = result !== undefined && !open && result.ms >= 1000 ? formatDuration(result.ms) : '';
	return [...wordsOf(block, stateOf(block, facts)), time].filter(text => text !== '');
}

/** Returns texts about the result of a call, or about its progress. */
function wordsOf(block: BlockOf<'tool'>, state: State): readonly string[] {
	const {call, result, open} = block;
	if (state === 'asking' && factsOf(call)?.asksUser === true) return [needsAnswer];
	const {shown: words} = callStates[state];
	if (state === 'preparing') {
		const received = call?.arguments.length ?? 0;
		return [`${words}${received > 1024 ? ` ${formatBytes(received)}` : ''}`];
	}
	const denied = state === 'denied' ? detailsOf(block).denied : undefined;
	if (denied !== undefined) return [words, deniedWords(call, denied)];
	if (result === undefined || open || !isAnswered(block)) return [words];
	const {summary: whole} = result;
	const summary = shortExit(sanitizeLine(call === undefined ? whole : summaryBeside(call, whole)));
	if (state === 'interrupted') return [`${words}${sanitizeLine(detailsOf(block).interrupted ?? '')}`];
	const end = endWords(detailsOf(block));
	const counts = isEdit(block) ? diffCounts(shownResult(result)) : undefined;
	const changes = counts === undefined ? '' : `+${counts.added} −${counts.removed}`;
	return [summary.includes(end) ? '' : end, backgroundWords(detailsOf(block), state) ?? summary, changes];
}

/** Shortens texts such as `exit code 1` in stored summaries. */
function shortExit(summary: string): string {
	return summary.replace(/^exit code (\d+)/, (_, code) => exitText(Number(code)));
}

/** Returns a text that tells the user who denied a call. */
function deniedWords(call: ToolCall | undefined, {by, reason = ''}: NonNullable<ToolDetails['denied']>): string {
	return denials[by](factsOf(call)?.subject.kind === 'command' ? 'command' : 'call', sanitizeLine(reason));
}

/** Returns the text about a background command, both while the command runs and after its end. */
function backgroundWords({command}: ToolDetails, state: State): string | undefined {
	if (command?.background !== true || command.id === undefined) return undefined;
	return inBackground(sanitizeLine(command.id), state === 'background');
}

/** Returns a text about the end of a command, such as its exit code or the signal that ended it. */
function endWords({command}: ToolDetails): string {
	if (command === undefined) return '';
	if (command.timedOut === true) return timedOut;
	if (command.signal !== undefined) return endedBySignal(sanitizeLine(command.signal));
	return command.exitCode === undefined ? '' : exitText(command.exitCode);
}
