import type {IncomingHttpHeaders} from 'node:http';
import {startServer} from '../../helpers/proxy-server.ts';

export type CloudRequest = {readonly url: string; readonly headers: IncomingHttpHeaders; readonly body: string};

export type CloudAnswer = {readonly status?: number; readonly type?: string; readonly body: string | Uint8Array};

/** Starts a server on loopback that notes each request and gives the answers in their order. */
export async function startCloud(
	answers: readonly CloudAnswer[],
): Promise<{readonly url: string; readonly requests: readonly CloudRequest[]}> {
	const requests: CloudRequest[] = [];
	const {url} = await startServer((request, response) => {
		let body = '';
		request.setEncoding('utf8').on('data', text => (body += text));
		request.on('end', () => {
			const answer = answers[requests.length] ?? {status: 500, body: 'no more answers'};
			requests.push({url: request.url ?? '', headers: request.headers, body});
			const type = answer.type ?? 'text/event-stream';
			response.writeHead(answer.status ?? 200, {'content-type': type}).end(answer.body);
		});
	});
	return {url, requests};
}

/** Server-sent events. */
export function events(values: readonly unknown[]): string {
	return values.map(value => `data: ${JSON.stringify(value)}\n\n`).join('');
}
