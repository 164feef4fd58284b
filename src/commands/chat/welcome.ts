import {shortPath} from '../../tui/status/status-line.ts';
import type {Span} from '../../tui/text/span.ts';
import type {Plan} from '../../pod/first-frame.ts';
import {opening} from './texts.ts';

type Lines = ReadonlyArray<readonly Span[]>;

/** Returns the first lines of an empty transcript. */
export function welcome({model, scope, session}: Plan, home: string, version: string): Lines {
	if (session.kind === 'stored') return [[], [{text: opening, style: 'dim'}]];
	const folder = shortPath(scope.pwd, home, 60);
	const lines = [[], ...introduction(version), [], references, workingIn(folder, scope.writable)];
	return model.name === 'offline' ? [...lines, [], ...offlineGuide, [], examples] : lines;
}

function introduction(version: string): Lines {
	return [
		[
			{text: 'inkpod ', style: 'bold'},
			{text: version, style: 'dim'},
		],
		[{text: 'The transcript is the context: the model sees what you see here, and nothing else.', style: 'dim'}],
	];
}

const references: readonly Span[] = [
	{text: 'Type '},
	{text: '@path', style: 'chip'},
	{text: ' to attach a file, '},
	{text: '@path:10-20', style: 'chip'},
	{text: ' for some of its lines, '},
	{text: '@dir/', style: 'chip'},
	{text: ' for a directory.'},
];

function workingIn(folder: string, isWritable: boolean): readonly Span[] {
	const spans: readonly Span[] = [{text: 'Working in '}, {text: folder, style: 'path'}];
	return isWritable ? spans : [...spans, {text: ' (read-only)'}];
}

const offlineGuide: Lines = [
	[
		{text: 'No model connected.', style: 'warn'},
		{text: ' You’re talking to the built-in offline guide (rule-based, not an AI model).'},
	],
	[
		{text: 'To connect one, set '},
		{text: 'ANTHROPIC_API_KEY', style: 'code'},
		{text: ', '},
		{text: 'OPENAI_API_KEY', style: 'code'},
		{text: ' or '},
		{text: 'GEMINI_API_KEY', style: 'code'},
		{text: ', or run '},
		{text: 'inkpod --model ollama/<name>', style: 'code'},
		{text: '.'},
	],
];

const examples: readonly Span[] = [
	{text: 'Try: '},
	{text: 'what files are here', style: 'user'},
	{text: ', '},
	{text: 'find TODO', style: 'user'},
	{text: ', '},
	{text: 'explain @README.md', style: 'user'},
];
