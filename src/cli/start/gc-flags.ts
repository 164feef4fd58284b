import {stat} from 'node:fs/promises';
import {setFlagsFromString} from 'node:v8';
import {historyFile, type Plan} from '../../pod/first-frame.ts';

/**
Prevents V8 from increasing its young generation to 134 MB while inkpod reads a long session. V8 would not use or
release that memory later, because items live long. A history of 60 MB needs 90 MB less memory and the same time
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
