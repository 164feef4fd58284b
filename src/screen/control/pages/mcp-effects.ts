import {mcpActions} from '../../../pod/protocol.ts';
import {send, type App} from '../app.ts';
import {mcpUsage} from '../../model/pages/texts.ts';

/**
Implements `/mcp`. Changes a server if the argument asks for a change, and opens the list of servers. Resolves with a
sentence if the server cannot be changed.
*/
export async function listServers(app: App, argument: string): Promise<string | undefined> {
	if (argument !== '') {
		const [, word, server = ''] = /^(\S+)(?:\s+(.+))?$/s.exec(argument.trim()) ?? [];
		const action = mcpActions.find(each => each === word);
		if (action === undefined || server === '') return mcpUsage;
		const receipt = await send(app, {method: 'change_mcp', server, action});
		if (!receipt.accepted) return receipt.sentence;
	}
	const client = await app.client.promise;
	const [{mcpPage}, servers] = await Promise.all([import('../../view/pages/mcp-page.ts'), client.mcp()]);
	app.dispatch({type: 'open page', page: mcpPage(servers)});
	return undefined;
}
