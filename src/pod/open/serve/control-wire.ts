import {createHash} from 'node:crypto';
import {join} from 'node:path';
import {z} from 'zod';
import {socketFolder} from '../../platform/local-door.ts';
import type {Env} from '../../ground/env/env.ts';
import {sentence} from '../../protocol/sentence.ts';
import {stateHome} from '../../disk/paths.ts';
import {transferSchema} from './transfer.ts';

/** The version of the wire between a terminal and the server. */
export const controlVersion = 1;

/** The maximum length of a line in bytes. The longest line has a prompt. */
export const maxControlBytes = 4 * 1024 * 1024;

/** The first line of the server. */
export const greetingSchema = z.object({serve: z.number(), pid: z.number().int().positive()});

/** The only line of a client. `check` opens nothing: it tells whether `open` would succeed now. */
export type ControlRequest = z.infer<typeof requestSchema>;
export const requestSchema = z.union([z.object({open: transferSchema}), z.object({check: transferSchema})]);

/** The answer of the server, which then closes the connection. */
export type ControlReply = z.infer<typeof replySchema>;
export const replySchema = z.union([
	z.object({session: z.string().max(26)}),
	z.object({checked: z.literal(true)}),
	z.object({problem: sentence}),
]);

/**
Returns the path of the server's socket. It is beside the sockets of sessions, and each state folder (INKPOD_HOME) has a
server of its own. Returns `undefined` if there is no folder for sockets.
*/
export function serverSocket(env: Env): string | undefined {
	const folder = socketFolder(env);
	const home = createHash('sha256').update(stateHome(env)).digest('hex').slice(0, 12);
	return folder === undefined ? undefined : join(folder, `serve-${home}.sock`);
}
