import {setImmediate} from 'node:timers/promises';
import {createContext, Script} from 'node:vm';
import type {Span, Style} from '../../text/span.ts';

/**
Returns the coloured spans of each line of code, or `undefined` if there are no colours. The highlighter is loaded on
first use, after the current frame. Until then code has no colours. Use `onHighlightReady` to draw a new frame
afterwards. Colours do not change the number of rows of the code.
*/
export function highlight(code: string, language: string): Span[][] | undefined {
	if (code.length > maxLength || language === '') return undefined;
	if (engine === undefined) {
		void loadHighlight();
		return undefined;
	}
	return engine(code, language.toLowerCase());
}

/** Resolves when `highlight` can return colours. Tests wait for this. */
export async function loadHighlight(): Promise<void> {
	loading ??= load();
	await loading;
}

/** Tells whether the highlighter is loaded. */
export function isHighlightReady(): boolean {
	return engine !== undefined;
}

/** Calls `listener` once when the highlighter has been loaded. Returns a function that cancels the call. */
export function onHighlightReady(listener: () => void): () => void {
	listeners.add(listener);
	return () => listeners.delete(listener);
}

/** The maximum length of coloured code, in code units. Colouring longer code would take noticeable time. */
const maxLength = 60_000;

type Engine = (code: string, language: string) => Span[][] | undefined;
type Node = {
	readonly type: string;
	readonly value?: string;
	readonly properties?: {readonly className?: unknown};
	readonly children?: readonly Node[];
};

let engine: Engine | undefined;
let loading: Promise<void> | undefined;
const listeners = new Set<() => void>();

async function load(): Promise<void> {
	await setImmediate();
	const {common, createLowlight} = await import('lowlight');
	const lowlight = createLowlight();
	const bounded = createTimeLimit();
	const tooLong: string[] = [];
	engine = (code, language) => {
		const name = aliases[language] ?? language;
		const grammar = common[name];
		if (!lowlight.registered(name)) {
			if (grammar === undefined) return undefined;
			lowlight.register(name, grammar);
			// This compiles the grammar outside of the time limit, because compiling must not be interrupted.
			lowlight.highlight(name, '');
		}
		const key = `${name} ${code}`;
		const root = tooLong.includes(key) ? undefined : bounded(() => lowlight.highlight(name, code));
		if (root !== undefined) return linesOf(root);
		if (!tooLong.includes(key)) tooLong.unshift(key);
		tooLong.splice(maxTooLong);
		return undefined;
	};
	for (const listener of listeners) listener();
}

/**
The time limit in milliseconds. Highlighting takes quadratic time for some texts, such as a word of 20,000 letters or a
sequence of `<script>` tags. The limit is long enough for normal code on a busy machine.
*/
const maxTime = 1000;
/** The maximum number of slow texts that are remembered, so that they are not tried again. */
const maxTooLong = 16;

/**
Returns a function that runs code with a time limit and returns `undefined` if the limit is exceeded. It uses `node:vm`,
because only the JavaScript engine can interrupt running code.
*/
function createTimeLimit(): <Value>(run: () => Value) => Value | undefined {
	const room: {run?: () => unknown} = {};
	const context = createContext(room);
	const script = new Script('run()');
	return <Value>(run: () => Value) => {
		let value: Value | undefined;
		room.run = () => {
			value = run();
		};
		try {
			script.runInContext(context, {timeout: maxTime});
			return value;
		} catch (error) {
			if (isTimeout(error)) return undefined;
			throw error;
		} finally {
			delete room.run;
		}
	};
}

function isTimeout(error: unknown): boolean {
	return (
		typeof error === 'object' && error !== null && 'code' in error && error.code === 'ERR_SCRIPT_EXECUTION_TIMEOUT'
	);
}

const aliases: {readonly [name: string]: string | undefined} = {
	js: 'javascript',
	jsx: 'javascript',
	mjs: 'javascript',
	cjs: 'javascript',
	ts: 'typescript',
	tsx: 'typescript',
	mts: 'typescript',
	py: 'python',
	rb: 'ruby',
	rs: 'rust',
	sh: 'bash',
	zsh: 'bash',
	shell: 'bash',
	console: 'shell',
	yml: 'yaml',
	html: 'xml',
	svg: 'xml',
	toml: 'ini',
	md: 'markdown',
	cs: 'csharp',
	'c++': 'cpp',
	h: 'c',
	hpp: 'cpp',
	golang: 'go',
	kt: 'kotlin',
	jsonc: 'json',
	json5: 'json',
	patch: 'diff',
	make: 'makefile',
	pl: 'perl',
	gql: 'graphql',
};

const styles: {readonly [name: string]: Style | undefined} = {
	keyword: 'syntax.keyword',
	built_in: 'syntax.type',
	type: 'syntax.type',
	literal: 'syntax.number',
	number: 'syntax.number',
	string: 'syntax.string',
	regexp: 'syntax.string',
	subst: 'plain',
	symbol: 'syntax.number',
	class: 'syntax.title',
	title: 'syntax.title',
	function: 'syntax.title',
	section: 'syntax.title',
	name: 'syntax.keyword',
	tag: 'syntax.meta',
	attr: 'syntax.attribute',
	attribute: 'syntax.attribute',
	comment: 'syntax.comment',
	doctag: 'syntax.comment',
	meta: 'syntax.meta',
	variable: 'syntax.variable',
	'template-variable': 'syntax.variable',
	property: 'syntax.attribute',
	bullet: 'syntax.keyword',
	code: 'syntax.string',
	addition: 'added',
	deletion: 'removed',
	'selector-tag': 'syntax.keyword',
	'selector-class': 'syntax.title',
	'selector-id': 'syntax.title',
	link: 'link',
};

function linesOf(root: Node): Span[][] {
	let line: Span[] = [];
	const lines = [line];
	const walk = (node: Node, style: Style | undefined) => {
		for (const child of node.children ?? []) {
			if (child.type !== 'text') walk(child, styleOf(child) ?? style);
			else
				for (const [index, text] of (child.value ?? '').split('\n').entries()) {
					if (index > 0) lines.push((line = []));
					if (text !== '') line.push(style === undefined ? {text} : {text, style});
				}
		}
	};
	walk(root, undefined);
	return lines;
}

function styleOf({properties}: Node): Style | undefined {
	const names = properties?.className;
	const name = Array.isArray(names)
		? String(names[0])
				.replace(/^hljs-/, '')
				.replace(/_+$/, '')
		: '';
	return styles[name];
}
