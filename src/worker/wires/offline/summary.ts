import type {ModelRequest} from '../../history/model.ts';
import {parseJson} from '../values.ts';
import {cut} from './markdown.ts';
import type {Call} from './requests.ts';
import {callsIn, textsOf} from './turn.ts';

/**
Returns the calls that answer a request for a summary: they mark the latest files, and list the user's messages,
shortened. The guide does not claim to understand them. Returns no calls if they are made, and `undefined` if the
request does not ask for a summary.
*/
export function summaryCalls({tools, messages}: ModelRequest): readonly Call[] | undefined {
	if (!tools.some(({name}) => name === 'write_summary')) return undefined;
	if (callsIn(messages).length > 0) return [];
	const [task = ''] = textsOf(messages);
	const files = task.matchAll(/^- ("(?:[^"\\]|\\.)*") \((?:attached|read|edited|read again)\)$/gm);
	const marks = Array.from(files, ([, path = '']) => ({name: 'mark_read_required', args: {path: parseJson(path)}}));
	return [...marks.slice(0, 3), {name: 'write_summary', args: {text: summaryOf(task)}}];
}

const maxPoints = 40;

/** In the task, a heading begins a line, and the text of a section is indented with tabs. */
function summaryOf(task: string): string {
	const points = Array.from(task.matchAll(/^\[([^\n]+)\]\n((?:\t[^\n]*(?:\n|$))+)/gm)).flatMap(
		([, head = '', section = '']) => {
			const lines = section.split('\n').map(line => line.slice(1));
			if (head.startsWith('Summary')) return lines.filter(line => line.startsWith('- '));
			return head === 'The person says' ? [`- ${cut(lines.join(' ').trim(), 160)}`] : [];
		},
	);
	const omitted = points.length > maxPoints ? [`(${points.length - maxPoints} earlier points are left out)`] : [];
	return [
		'*By the offline guide, which is not an AI model: your messages, shortened.*\n',
		...(points.length === 0 ? ['(There are no messages.)'] : [...omitted, ...points.slice(-maxPoints)]),
	].join('\n');
}
