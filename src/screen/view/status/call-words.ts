import {toolFactsOf} from '../../../pod/protocol.ts';
import {cut} from '../../../text/width.ts';
import {toolName} from '../../../transcript/tool-title.ts';
import {acts, manyActs, stepTexts, type Act} from './texts.ts';

/** A running call: its tool, and what it is about. Both are inert. */
export type CallObject = {readonly tool: string; readonly object: string};

/** Returns what running calls do: a verb with its object for one, and a count for several. */
export function callWords(calls: readonly CallObject[]): {readonly text: string; readonly short: string} {
	const [first] = calls;
	if (first === undefined) return stepTexts.tools;
	const act = actOf(first.tool);
	if (calls.length > 1) {
		const isSame = calls.every(({tool}) => actOf(tool) === act);
		return manyActs(isSame ? act : 'tool', calls.length);
	}
	const name = act === 'tool' ? `${toolName(first.tool)} ` : '';
	const {verb} = acts[act];
	return {text: cut(`${verb} ${name}${first.object}`.trimEnd(), maxObject, '…'), short: verb};
}

/** The maximum width of an activity in cells. */
export const maxObject = 48;

/** Returns what a tool does. */
export function actOf(name: string): Act {
	const facts = toolFactsOf(name);
	if (facts === undefined) return 'tool';
	if (facts.startsChild === true) return 'child';
	if (facts.subject.kind === 'command') return 'command';
	if (facts.subject.kind === 'file') return facts.effect === 'write' ? 'edit' : 'read';
	return facts.effect === 'read' && facts.subject.argument === 'pattern' ? 'search' : 'tool';
}
