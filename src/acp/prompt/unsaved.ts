import {pathToFileURL} from 'node:url';
import type {PodClient, Segment} from '../../pod/protocol.ts';
import type {Editor} from '../client.ts';
import type {Host} from '../host.ts';
import type {Link} from './segments.ts';

type Options = {
	readonly pod: Pick<PodClient, 'preflight'>;
	readonly editor: Editor;
	readonly host: Pick<Host, 'readText'>;
	readonly signal: AbortSignal;
};

/**
Replaces links to files whose buffer in the editor is not saved: then the text of the buffer is sent, and stored as it
was sent. The editor is asked only for files that the pod would attach, so scope and secrets are checked first.
*/
export async function withBuffers(
	segments: readonly Segment[],
	links: readonly Link[],
	options: Options,
): Promise<readonly Segment[]> {
	if (options.editor.readBuffer === undefined || links.length === 0) return segments;
	const allowed = new Set<string>();
	const {refs} = await options.pod.preflight([...segments], options.signal);
	for (const forecast of refs) if (forecast.ok && forecast.kind === 'file') allowed.add(forecast.ref.path);
	const paths = new Map(links.map(({segment, path}) => [segment, path]));
	return Promise.all(
		segments.map(async segment => {
			const path = segment.type === 'file_ref' && segment.range === undefined ? paths.get(segment) : undefined;
			if (segment.type !== 'file_ref' || path === undefined || !allowed.has(segment.path)) return segment;
			const text = await unsavedText(path, options);
			return text === undefined ? segment : {...segment, sent: {uri: pathToFileURL(path).href, text}};
		}),
	);
}

/** Returns the text of a buffer that differs from its file. */
async function unsavedText(path: string, {editor, host, signal}: Options): Promise<string | undefined> {
	const [buffer, saved] = await Promise.all([editor.readBuffer?.(path, signal), host.readText(path)]);
	return buffer === undefined || saved === undefined || buffer === saved ? undefined : buffer;
}
