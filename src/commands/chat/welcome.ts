import {shortPath} from '../../tui/status/status-line.ts';
import type {Span} from '../../tui/text/span.ts';
import type {Plan} from '../../pod/first-frame.ts';
import {opening} from './texts.ts';

/** What stands where the transcript will, line by line. */
export function welcome({model, scope, session}: Plan, home: string, version: string): ReadonlyArray<readonly Span[]> {
	if (session.kind === 'stored') return [[], [{text: opening, style: 'dim'}]];
	const lines: ReadonlyArray<readonly Span[]> = [
		[],
		[
			{text: 'inkpod ', style: 'bold'},
			{text: version, style: 'dim'},
		],
		[{text: 'The transcript is the context: the model sees what you see here, and nothing else.', style: 'dim'}],
		[],
		[
			{text: 'Type '},
			{text: '@path', style: 'chip'},
			{text: ' to attach a file, '},
			{text: '@path:10-20', style: 'chip'},
			{text: ' for some of its lines, '},
			{text: '@dir/', style: 'chip'},
			{text: ' for a directory.'},
		],
		[
			{text: 'It works in '},
			{text: shortPath(scope.pwd, home, 60), style: 'path'},
			{text: scope.writable ? '.' : ' (read-only).'},
		],
	];
	if (model.name !== 'offline') return lines;
	return [
		...lines,
		[],
		[
			{text: 'No model is connected.', style: 'warn'},
			{text: ' The built-in offline guide answers: rules and real tools, no language model.'},
		],
		[
			{text: 'Connect one: set '},
			{text: 'ANTHROPIC_API_KEY', style: 'code'},
			{text: ', '},
			{text: 'OPENAI_API_KEY', style: 'code'},
			{text: ' or '},
			{text: 'GEMINI_API_KEY', style: 'code'},
			{text: ', or start with '},
			{text: '--model ollama/<name>', style: 'code'},
			{text: '.'},
		],
		[],
		[
			{text: 'Try: '},
			{text: 'what files are here', style: 'user'},
			{text: ', '},
			{text: 'find TODO', style: 'user'},
			{text: ', '},
			{text: 'explain @README.md', style: 'user'},
		],
	];
}
