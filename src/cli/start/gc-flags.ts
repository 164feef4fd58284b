import {stat} from 'node:fs/promises';
import {setFlagsFromString} from 'node:v8';
import {historyFile, type Plan} from '../../pod/first-frame.ts';

/**
Keeps V8 from increasing its young generation to 134 MB while it reads a long session. V8 would neither use that memory
again nor give it back, because items live long. A history of 60 MB takes 90 MB less memory and the same time
(docs/start.md).
*/
export async function limitYoungGeneration({session}: Plan): Promise<void> {
	if (session.kind !== 'stored') return;
	const bytes = await stat(historyFile(session.dir)).then(
		({size}) => size,
		() => 0,
	);
	if (bytes > longBytes) setFlagsFromString('--semi-space-growth-factor=1');
}

const longBytes = 8 * 1024 * 1024;
