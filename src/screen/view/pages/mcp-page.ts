import type {McpServerInfo} from '../../../pod/protocol.ts';
import {besideLine, blankLine, columnOf, exampleLines, namedLine, sectionLines} from './page-lines.ts';
import type {PageLine, TextPage} from '../../model/pages/text-page.ts';
import {sanitizeLine} from '../../../text/sanitize.ts';
import type {Span, Style} from '../../../text/span.ts';
import {
	mcpSections,
	noServers,
	pageTitles,
	serversNeedTrust,
	serverStates,
	toolCount,
} from '../../model/pages/texts.ts';

/** Returns the MCP page: the state of each server, its errors and its tools. All texts of servers are untrusted. */
export function mcpPage(servers: readonly McpServerInfo[]): TextPage {
	const sections: ReadonlyArray<readonly [title: string, entries: readonly McpServerInfo[]]> = [
		[mcpSections.user, servers.filter(({source}) => source === 'user')],
		[mcpSections.editor, servers.filter(({source}) => source === 'editor')],
		[mcpSections.project, servers.filter(({source}) => source === 'project')],
	];
	const column = columnOf(servers.map(({name}) => nameOf(name)));
	const filled = sections.filter(([, entries]) => entries.length > 0);
	const lines = filled.flatMap(([title, entries]) => {
		return sectionLines(
			title,
			entries.flatMap(entry => entryLines(entry, column)),
		);
	});
	return {kind: 'text', title: pageTitles.mcp, top: 0, lines: lines.length === 0 ? none : lines};
}

const none: readonly PageLine[] = [
	blankLine,
	{spans: [{text: noServers}]},
	blankLine,
	...exampleLines([
		'{',
		'  "mcpServers": {',
		'    "files": {"command": "npx", "args": ["-y", "@modelcontextprotocol/server-filesystem", "."]}',
		'  }',
		'}',
	]),
	blankLine,
	{spans: [{text: serversNeedTrust}]},
];

function entryLines({name, target, transport, state, sentence, tools}: McpServerInfo, column: number): PageLine[] {
	const {sign, style} = states[state];
	const count = state === 'ready' ? `, ${toolCount(tools.length)}` : '';
	const sentences = sentence?.split('\n').filter(line => line.trim() !== '') ?? [];
	const address = {text: `${transport} · ${sanitizeLine(target)}`, style: 'dim'} as const;
	const below: ReadonlyArray<readonly Span[]> = [
		...sentences.map(line => [{text: sanitizeLine(line), style: state === 'failed' ? 'error' : 'warn'} as const]),
		...(target === '' ? [] : [[address]]),
		...tools.map(toolSpans),
	];
	const head = namedLine(nameOf(name), column, [{text: `${sign} ${serverStates[state]}${count}`, style}]);
	return [head, ...below.map(spans => besideLine(column, spans))];
}

function toolSpans({name, description}: McpServerInfo['tools'][number]): readonly Span[] {
	const summary = description === '' ? '' : ` · ${summaryOf(description)}`;
	return [{text: sanitizeLine(name), style: 'bold'}, {text: summary}];
}

type StateLook = {readonly sign: string; readonly style: Style};

const states: {readonly [State in McpServerInfo['state']]: StateLook} = {
	idle: {sign: '◦', style: 'dim'},
	starting: {sign: '◔', style: 'info'},
	ready: {sign: '●', style: 'ok'},
	failed: {sign: '×', style: 'error'},
	untrusted: {sign: '▲', style: 'warn'},
	disabled: {sign: '◦', style: 'dim'},
};

/** Returns the first line of a description, which may be a page long. */
function summaryOf(description: string): string {
	const [first = ''] = description.trim().split('\n');
	const line = sanitizeLine(first);
	return line.length > maxLength ? `${Array.from(line).slice(0, maxLength).join('')}…` : line;
}

const maxLength = 200;

function nameOf(name: string): string {
	return `  ${sanitizeLine(name)}`;
}
