import {t} from '../../../language/index.ts';
import {quoteUntrusted} from '../../ground/text/one-line.ts';

export const startTexts = {
	promptTooLarge: (file: string) => t`${file} is larger than 256 KB.`,
	promptNotText: (file: string) => t`${file} is empty or not UTF-8, so it cannot be the system prompt.`,
	promptUnreadable: (file: string, code: string) => t`Cannot read ${file} (${code}).`,
	noDirectory: (failure: string) =>
		t`The current directory cannot be found (${failure}). Change to another one, or use --cwd.`,
	noSessionId: t`-r needs a session id. List the sessions with: inkpod sessions`,
	noSessionYet: t`No session in this directory yet; starting a new one.`,
	unreadableScript: (path: string, code: string) => t`Cannot read the script ${path} (${code}).`,
	/**
	`effort`: the level that is used instead of the wanted level. `source`: the option or setting with the wanted level.
	*/
	otherEffort: (model: string, effort: string | undefined, source: string) =>
		effort === undefined
			? t`${model} has no reasoning levels, so ${source} is not used.`
			: t`${model} does not have this reasoning level, so it uses ${effort}.`,
	/** `mode`: the approval mode that ended. */
	asksAgain: (mode: string) =>
		t`This session was in ${mode} mode. After a resume, inkpod asks before it acts. Change that with /approval.`,
	foldersAgain: (dirs: readonly string[]) =>
		t`This session could also read ${dirs.map(quoteUntrusted).join(', ')}. To allow it again, use
			--add-dir.`,
	scope: {
		not_found: t`no such directory`,
		not_a_directory: t`not a directory`,
		io: t`cannot be opened`,
	},
	socketPathTooLong: t`Other terminals cannot attach to this session: the path of the temporary folder is too long
		for a socket.`,
};

/**
The texts about the model and the tools of a program that opens a pod. The names are in quotes, because they are
untrusted.
*/
export const ownPartsTexts = {
	modelName: (name: string) =>
		t`The model name ${quoted(name)} cannot be used. The name of your own model is own/NAME, such as own/echo.`,
	toolName: (name: string) =>
		t`The tool name ${quoted(name)} cannot be used. Use letters, digits, single underscores and hyphens, at most
			64.`,
	builtIn: (name: string) => t`inkpod already has a tool ${quoted(name)}. Choose another name for your tool.`,
	twice: (name: string) => t`Two of your tools are called ${quoted(name)}. Give each tool its own name.`,
};

function quoted(name: string): string {
	return JSON.stringify(name.slice(0, 100));
}

export const attachTexts = {
	noneLive: t`No session of this directory is open in another terminal. Resume the latest one with: inkpod -c`,
	notOpen: (id: string) => t`This session is not open in another terminal. Resume it with: inkpod -r ${id}`,
	otherCopy: (id: string) =>
		t`A copy of this session is open in another terminal, but not this one. Resume this one with: inkpod -r ${id}`,
	notAttachable: (pid: number, host: string) =>
		t`This session is open in process ${pid} on ${host}, which does not let other terminals attach.`,
	attached: (pid: number) =>
		t`Attached to the session in process ${pid}. Closing this terminal won't stop the session.`,
	attachedTo: (host: string) => t`Attached to the session on ${host}. Closing this terminal won't stop the session.`,
	noRemoteLogin: (host: string) => t`Keys are not sent to another machine. On ${host}, run: inkpod login PROVIDER`,
	nobody: t`No terminal is running this session.`,
	openWith: (id: string) => t`Open the session with: inkpod -r ${id}`,
	lost: t`The connection to the other terminal is lost.`,
	tookOver: {
		stored: t`The other terminal closed; the session continues here.`,
		new: t`The other terminal closed before its session had a message; this is a new session.`,
	},
	/** The warning about folders that only the other terminal could read. */
	fewerFolders: (count: number) =>
		t`This terminal cannot read ${count === 1 ? t`a folder` : t`${count} folders`} that the other terminal had
			added.
			To add folders here, start inkpod with --add-dir.`,
};

/** Returns the warning that a session continues in another directory. */
export function directoryWarning(from: string, to: string, isChosen: boolean): string {
	const there = isChosen ? t`It continues in ${to}.` : t`inkpod asks before it continues in ${to}.`;
	return t`This session last worked in ${from}. ${there}`;
}
