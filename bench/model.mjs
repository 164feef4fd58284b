import {fork} from 'node:child_process';
import {once} from 'node:events';
import {fileURLToPath} from 'node:url';

/**
Starts the fake model server (server.mjs) in its own process. `answer` sets the next answer, and resolves with {askedAt,
firstAt, lastAt} when the server has sent it.
*/
export async function startModel() {
	const child = fork(fileURLToPath(new URL('server.mjs', import.meta.url)), {
		stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
	});
	const [{port}] = await once(child, 'message');
	return {
		url: `http://127.0.0.1:${port}/v1`,
		async answer(scenario) {
			child.send(scenario);
			for (;;) {
				const [times] = await once(child, 'message');
				if (times.sentinel === scenario.sentinel) return times;
			}
		},
		stop: () => child.disconnect(),
	};
}
