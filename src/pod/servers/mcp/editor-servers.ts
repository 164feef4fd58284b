import {endSentence} from '../../../language/index.ts';
import type {Env} from '../../ground/env/env.ts';
import type {McpConfig} from './config.ts';
import {readEntry} from './entry.ts';

/** The servers that an editor passes with a session, by name. Each has the form of an entry of `mcpServers`. */
export type EditorServers = ReadonlyArray<readonly [name: string, entry: unknown]>;

/** Reads the servers of an editor. Variables in them are not replaced. */
export function readEditorServers(servers: EditorServers, env: Env): McpConfig {
	const read = servers.map(([name, entry]) => readEntry(name, entry, {source: 'editor', file: '', env}));
	return {
		entries: read.flatMap(each => (each.ok ? [each.entry] : [])),
		broken: read.flatMap(each =>
			each.ok ? [] : [{name: each.name, source: 'editor' as const, sentence: endSentence(each.problem)}],
		),
		problems: [],
		remarks: [],
	};
}
