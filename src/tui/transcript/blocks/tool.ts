import {narrowDetails, type ToolDetails} from '../../../pod/protocol.ts';
import type {Span} from '../../screen/row.ts';
import {sanitizeLine} from '../../screen/sanitize.ts';
import type {Style} from '../../theme.ts';
import type {BlockOf} from '../block.ts';
import {diffCounts, diffRows} from './diff.ts';
import {formatBytes, formatDuration} from './format.ts';
import {noOutput, preview, type RenderContext, type Renderer} from './render.ts';
import {argumentRows, argumentSpans, summaryBeside, toolName} from './tool-call.ts';

/** A call and its result: name, the argument that matters, where it stands, the beginning of its output. */
export const toolRenderer: Renderer<'tool'> = {
	apart: true,
	head(block, context) {
		const state = states[stateOf(block, context)];
		return {
			gutter: {text: `${state.glyph} `, style: state.style},
			spans: [
				{text: block.call === undefined ? 'result without a call' : toolName(block.call.name), style: 'bold'},
				...(block.call === undefined ? [] : argumentSpans(block.call, detailsOf(block), context)),
				...aside(block, context),
			],
		};
	},
	body(block, context) {
		const {call, result} = block;
		const live = block.open && result !== undefined;
		const args = context.view === 'detail' && call !== undefined ? argumentRows(call, context) : [];
		if (result === undefined) return args;
		if (result.content === result.summary) return args;
		const rows = isEdit(block) && !live ? diffRows(result.content, context) : undefined;
		const style = result.isError ? () => 'error' as const : undefined;
		return [...args, ...(rows ?? preview(result.content, context, {...(style && {style}), ...(live ? {from: 'end', empty: ''} : {empty: noOutput})}))];
	},
};

/** Whether the result of the call may be a diff: that is the tool's to say, not the text's. */
function isEdit(block: BlockOf<'tool'>): boolean {
	const {call, result} = block;
	return result?.isError === false && (call?.name === 'edit_file' || call?.name === 'write_file' || detailsOf(block).changed !== undefined);
}

function detailsOf({result}: BlockOf<'tool'>): ToolDetails {
	return result?.details === undefined ? {} : narrowDetails(result.details);
}

type State = 'preparing' | 'asking' | 'queued' | 'running' | 'waiting' | 'interrupted' | 'failed' | 'done';

const states: {readonly [Name in State]: {readonly glyph: string; readonly style: Style; readonly words: string}} = {
	preparing: {glyph: '○', style: 'dim', words: 'preparing'},
	asking: {glyph: '?', style: 'warn', words: 'asks for approval'},
	queued: {glyph: '○', style: 'dim', words: 'waits'},
	running: {glyph: '◔', style: 'info', words: 'running'},
	waiting: {glyph: '○', style: 'warn', words: 'not finished'},
	interrupted: {glyph: '■', style: 'warn', words: ''},
	failed: {glyph: '✗', style: 'error', words: ''},
	done: {glyph: '●', style: 'ok', words: ''},
};

function stateOf(block: BlockOf<'tool'>, context: RenderContext): State {
	const {call, result, open} = block;
	if (result === undefined) return open && call !== undefined ? 'preparing' : context.phase;
	if (open) return 'running';
	if (hasFailed(block)) return 'failed';
	return interrupted.test(result.summary) ? 'interrupted' : 'done';
}

/** A command that ended badly has failed, whatever its tool thinks of it. */
function hasFailed(block: BlockOf<'tool'>): boolean {
	const {exitCode = 0, signal, timedOut} = detailsOf(block).command ?? {};
	return block.result?.isError === true || exitCode !== 0 || signal !== undefined || timedOut === true;
}

/** The summary that closes a call which was never answered; it is the pod's own, and only changes a glyph here. */
const interrupted = /^\[Interrupted(?: by user|: .*)\]$/;

function aside(block: BlockOf<'tool'>, context: RenderContext): Span[] {
	const {call, result, open} = block;
	const {words} = states[stateOf(block, context)];
	const size = open && result === undefined && call !== undefined && call.arguments.length > 1024 ? ` ${formatBytes(call.arguments.length)}` : '';
	const summary = result === undefined || open ? words + size : sanitizeLine(call === undefined ? result.summary : summaryBeside(call, result.summary));
	const end = open ? '' : endWords(detailsOf(block));
	const time = result !== undefined && !open && result.ms >= 1000 ? formatDuration(result.ms) : '';
	const counts = isEdit(block) && !open ? diffCounts(result!.content) : undefined;
	return [summary.includes(end) ? '' : end, summary, counts === undefined ? '' : `+${counts.added} −${counts.removed}`, time].filter(text => text !== '').map(text => ({text: ` · ${text}`, style: !open && hasFailed(block) ? 'error' : 'dim'}));
}

/** How a command ended, where its summary does not say so. */
function endWords({command}: ToolDetails): string {
	if (command === undefined) return '';
	if (command.timedOut === true) return 'timed out';
	if (command.signal !== undefined) return `ended by signal ${sanitizeLine(command.signal)}`;
	return command.exitCode === undefined ? '' : `exit code ${command.exitCode}`;
}
