import {en} from '../../../language/index.ts';
import type {MCPClient} from '@ai-sdk/mcp';

/** A resource in the list of a server. */
export type ListedResource = Awaited<ReturnType<MCPClient['listResources']>>['resources'][number];
/** A prompt in the list of a server. */
export type ListedPrompt = Awaited<ReturnType<MCPClient['listPrompts']>>['prompts'][number];
export type ResourceContent = Awaited<ReturnType<MCPClient['readResource']>>['contents'][number];
export type PromptMessage = Awaited<ReturnType<MCPClient['getPrompt']>>['messages'][number];

/** The resources and prompts of a connected server. All functions may reject. */
export type SharedContext = {
	listResources(signal: AbortSignal): Promise<readonly ListedResource[]>;
	listPrompts(signal: AbortSignal): Promise<readonly ListedPrompt[]>;
	readResource(uri: string, signal: AbortSignal): Promise<readonly ResourceContent[]>;
	getPrompt(
		name: string,
		args: Readonly<Record<string, string>>,
		signal: AbortSignal,
	): Promise<readonly PromptMessage[]>;
};

export function sharedContext(client: MCPClient): SharedContext {
	const {resources, prompts} = client.initializeResult.capabilities;
	return {
		async listResources(signal) {
			if (resources === undefined) return [];
			return paged(async params => {
				const {resources: items, nextCursor} = await client.listResources({params, options: {signal}});
				return {items, nextCursor};
			});
		},
		async listPrompts(signal) {
			if (prompts === undefined) return [];
			return paged(async params => {
				const {prompts: items, nextCursor} = await client.listPrompts({params, options: {signal}});
				return {items, nextCursor};
			});
		},
		async readResource(uri, signal) {
			if (resources === undefined) throw new Error(en`it has no resources`);
			return (await client.readResource({uri, options: {signal}})).contents;
		},
		async getPrompt(name, args, signal) {
			return (await client.getPrompt({name, arguments: {...args}, options: {signal}})).messages;
		},
	};
}

type Page<Listed> = {readonly items: readonly Listed[]; readonly nextCursor?: string | undefined};

/** Reads the pages of a list, up to a limit. Cuts a longer list, because no user would choose from such a list. */
async function paged<Listed>(
	read: (params: {readonly cursor?: string}) => Promise<Page<Listed>>,
): Promise<readonly Listed[]> {
	const listed: Listed[] = [];
	let cursor: string | undefined;
	for (let page = 0; page < maxPages && listed.length < maxListed; page++) {
		const {items, nextCursor} = await read(cursor === undefined ? {} : {cursor});
		listed.push(...items);
		cursor = nextCursor;
		if (cursor === undefined) break;
	}
	return listed.slice(0, maxListed);
}

const maxPages = 32;
const maxListed = 1000;
