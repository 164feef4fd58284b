import {t} from '../../../language/index.ts';
import type {BadLine} from '../../ground/text/lines.ts';

/** The texts about a terminal's connection to the process that runs the session. */
export const texts = {
	absent: t`No process listens on the socket of this session.`,
	lost: t`The connection to the other terminal was lost.`,
	left: t`This terminal was detached.`,
	timeout: t`The other terminal does not respond.`,
	unknown: t`The other terminal sent a message that this version of inkpod does not know.`,
	version: t`The other terminal runs another version of inkpod.`,
	large: t`The other terminal sent more data than this terminal can store.`,
	long: t`The message is too long to send to the other terminal.`,
	hungUp: t`The other terminal disconnected several times in a row. Start inkpod again to attach to it.`,
	closed: t`The session is closed.`,
} as const;

/** The reasons why a session on another machine cannot be reached. `line` is untrusted text. */
export const sshTexts = {
	failed: (host: string, line: string) =>
		line === '' ? t`ssh could not connect to ${host}.` : t`ssh could not connect to ${host}: ${line}`,
	missing: (host: string) =>
		t`inkpod was not found on ${host}. Add its folder there to the PATH that ssh uses without a login shell.`,
	noSsh: t`The program ssh was not found.`,
} as const;

/** The reasons why a server closes a connection. The attached terminal shows them. */
export const refusalTexts: Readonly<Record<BadLine | 'unknown' | 'version' | 'silent' | 'pending', string>> = {
	too_long: t`A line was too long.`,
	not_json: t`A line was not JSON.`,
	too_complex: t`A line was nested too deeply or had too many values.`,
	unknown: t`A line contained an unknown message.`,
	version: t`This session runs in another version of inkpod.`,
	silent: t`The client sent nothing.`,
	pending: t`Too many requests are waiting for an answer.`,
};

/** The reasons why no other terminal can attach to a session. */
export const listenTexts = {
	failed: (sentence: string) => t`No other terminal can attach to this session: ${sentence}`,
	inUse: (path: string) => t`${path} is in use by another process.`,
	full: (count: number) => t`${count} terminals are already attached.`,
} as const;
