import type {McpServerInfo} from '../../pod/protocol.ts';
import type {PageLine, TextPage} from '../overlay/page.ts';
import {sanitizeLine} from '../text/sanitize.ts';
import {pad, width} from '../text/width.ts';
import type {Span} from '../text/span.ts';
import type {Style} from '../text/theme.ts';

/** The MCP servers: where each stands, what went wrong, and the tools that the model is offered. All of their words are untrusted. */
export function mcpPage(servers: readonly McpServerInfo[]): TextPage {
	const sections: ReadonlyArray<readonly [title: string, entries: readonly McpServerInfo[]]> = [
		['Yours', servers.filter(({source}) => source === 'user')],
		['Of this project', servers.filter(({source}) => source === 'project')],
	];
	const column = Math.min(widest, Math.max(0, ...servers.map(({name}) => width(nameOf(name))))) + 2;
	const lines = sections.filter(([, entries]) => entries.length > 0).flatMap(([title, entries]) => [blank, {spans: [{text: title, style: 'heading'}]} satisfies PageLine, ...entries.flatMap(entry => entryLines(entry, column))]);
	return {title: 'MCP servers', top: 0, lines: lines.length === 0 ? none : lines};
}

/** Cells of the first column; a longer name pushes its own words only. */
const widest = 26;
const blank: PageLine = {spans: []};

const none: readonly PageLine[] = [
	blank,
	{spans: [{text: 'There is none. One is named in .mcp.json of the project, or in mcp.json beside your config.toml:'}]},
	blank,
	...['{', '  "mcpServers": {', '    "files": {"command": "npx", "args": ["-y", "@modelcontextprotocol/server-filesystem", "."]}', '  }', '}'].map((text): PageLine => ({lead: {text: '  │ ', style: 'dim'}, spans: [{text, style: 'code'}]})),
	blank,
	{spans: [{text: 'One of a project is started only when you trust it.'}]},
];

function entryLines({name, target, transport, state, sentence, tools}: McpServerInfo, column: number): PageLine[] {
	const rest: Span = {text: ' '.repeat(column + 2)};
	const {sign, words, style} = states[state];
	const count = state === 'ready' ? `, ${tools.length} ${tools.length === 1 ? 'tool' : 'tools'}` : '';
	const said = sentence?.split('\n').filter(line => line.trim() !== '') ?? [];
	return [
		{lead: {text: `${pad(nameOf(name), column)}  `, style: 'accent'}, spans: [{text: `${sign} ${words}${count}`, style}]},
		...said.map((line): PageLine => ({lead: rest, spans: [{text: sanitizeLine(line), style: state === 'failed' ? 'error' : 'warn'}]})),
		...(target === '' ? [] : [{lead: rest, spans: [{text: `${transport} · ${sanitizeLine(target)}`, style: 'dim'}]} satisfies PageLine]),
		...tools.map((tool): PageLine => ({lead: rest, spans: [{text: sanitizeLine(tool.name), style: 'bold'}, {text: tool.description === '' ? '' : ` · ${summaryOf(tool.description)}`}]})),
	];
}

const states: {readonly [State in McpServerInfo['state']]: {readonly sign: string; readonly words: string; readonly style: Style}} = {
	idle: {sign: '○', words: 'not started', style: 'dim'},
	starting: {sign: '◔', words: 'starting', style: 'info'},
	ready: {sign: '●', words: 'ready', style: 'ok'},
	failed: {sign: '✗', words: 'failed', style: 'error'},
	untrusted: {sign: '▲', words: 'not trusted', style: 'warn'},
};

/** The first line of a description, which may be a page long. */
function summaryOf(description: string): string {
	const [first = ''] = description.trim().split('\n');
	const line = sanitizeLine(first);
	return line.length > longest ? `${Array.from(line).slice(0, longest).join('')}…` : line;
}

const longest = 200;

function nameOf(name: string): string {
	return `  ${sanitizeLine(name)}`;
}
