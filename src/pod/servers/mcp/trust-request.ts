import {hashContents, type TrustContent} from '../../permissions/trust/store.ts';
import type {TrustClaim} from '../../permissions/trust/trust.ts';
import {commandLine, type McpEntry} from './entry.ts';
import {trustTitle} from './texts.ts';

/** Returns a key that identifies an entry by its source, its name and all its contents. */
export function entryKey(entry: McpEntry): string {
	return JSON.stringify([entry.source, entry.name, hashContents(contentsOf(entry))]);
}

/** Returns the question whether inkpod may start or connect to a server of the project. */
export function trustRequestOf(entry: McpEntry): TrustClaim {
	return {
		subject: {kind: 'mcp_server', name: entry.name},
		title: trustTitle(entry.name, {isProgram: entry.start.transport === 'stdio'}),
		contents: contentsOf(entry),
	};
}

/**
Returns the contents that the card shows and that trust covers: the whole entry, and the targets of its symbolic links.
*/
function contentsOf({start}: McpEntry): readonly TrustContent[] {
	const pairs = (name: string, record: Readonly<Record<string, string>>) =>
		Object.keys(record).length === 0
			? []
			: [
					{
						name,
						text: Object.entries(record)
							.map(pair => pair.map(part => JSON.stringify(part)).join(': '))
							.join('\n'),
					},
				];
	if (start.transport !== 'stdio')
		return [
			{name: start.transport === 'sse' ? 'address (sse)' : 'address', text: start.url},
			...pairs('headers', start.headers),
			...(start.oauth === undefined ? [] : [{name: 'login', text: JSON.stringify(start.oauth)}]),
		];
	const folder = start.cwd === undefined ? [] : [{name: 'folder', text: start.cwd}];
	return [
		{name: 'command', text: commandLine(start)},
		...pairs('environment', start.env),
		...folder,
		...(start.linkTargets ?? []),
	];
}
