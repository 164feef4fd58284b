import {en, endSentence, t} from '../../../language/index.ts';

/**
The texts that a user reads about MCP servers. Texts that a model may also read are in the code that creates them.
*/

/** Returns a sentence about a server's failure, with the last output of its stderr. */
export function serverFailed(
	server: string,
	event: ServerEvent,
	{reason, lastOutput, isOneLine}: FailureFacts,
): string {
	const output = lastOutput === '' ? '' : t` Last output:${isOneLine ? ' ' : '\n'}${lastOutput}`;
	return endSentence(`${server} ${events[event]}: ${reason}`) + output;
}

export type ServerEvent = keyof typeof events;
type FailureFacts = {readonly reason: string; readonly lastOutput: string; readonly isOneLine: boolean};

const events = {start: t`could not be started`, end: t`is no longer available`};

/** Returns the end of a sentence about a server that requires a login. `name` is the server's name for the command. */
export function loginWanted(name: string): string {
	return t`it requires a login. Run: inkpod mcp login ${/^[\w.-]+$/.test(name) ? name : JSON.stringify(name)}`;
}

export function serverIsSlow(server: string, ms: number): string {
	return t`${server} has not answered for ${ms / 1000} s. The run continues without it.
			Later runs can use its tools once it is ready.`;
}

export function noAnswerWithin(ms: number): string {
	return en`it did not answer within ${ms / 1000} s`;
}

export function notStarted(server: string, file: string, verdict: Distrust): string {
	return t`The MCP server ${server} in ${file} was not started: ${distrust[verdict]}.`;
}

export type Distrust = 'denied' | 'unattended';

const distrust: Readonly<Record<Distrust, string>> = {
	denied: t`you did not trust it; inkpod asks again in the next session, or when its entry changes`,
	unattended: t`it is not trusted, and no one can approve it here; --trust accepts it as it is now`,
};

export function distrustSentence(verdict: Distrust): string {
	return sentence(distrust[verdict]);
}

export const startsAfterQuestion = t`This project defines the server. inkpod asks before starting it, unless you
	already trust it.`;

/** Turns the end of a sentence into a complete sentence. */
export function sentence(end: string): string {
	return endSentence(`${end.charAt(0).toUpperCase()}${end.slice(1)}`);
}

export function trustTitle(name: string, {isProgram}: {readonly isProgram: boolean}): string {
	return t`${isProgram ? t`Start` : t`Connect to`} MCP server "${name}" from this project?`;
}

/** The question whether to start several servers of the project. */
export function trustAllTitle(count: number): string {
	return t`Start ${count} MCP servers from this project?`;
}

export function noSuchServer(name: string): string {
	return t`There is no MCP server ${name}. /mcp lists them.`;
}

/** The problems of a whole file. Each text follows the file's name and a colon. */
export const fileProblems = {
	notJson: (place: string) => t`this is not valid JSON${place}.`,
	notAnObject: (key: string | undefined) => t`${key ?? t`the file`} must be a JSON object.`,
	noServers: ({hasServersKey}: {readonly hasServersKey: boolean}) =>
		t`the key mcpServers is missing${hasServersKey ? t` (inkpod does not read servers, the key of VS Code)` : ''}.`,
	tooManyServers: (max: number) => t`mcpServers has more than ${max} servers.`,
	servesVsCode: t`the key servers is for VS Code and is ignored; inkpod reads mcpServers.`,
};

export function shadowedServer(name: string, {file, by}: {readonly file: string; readonly by: string}): string {
	return t`The MCP server ${name} in ${file} is not used: ${by} has a server of that name, too.`;
}

/** The problems of one entry. Each text follows the entry's key and a space, and has no full stop. */
export const entryProblems = {
	badName: t`is not a server name: use 1 to 64 letters, digits, spaces, dots, hyphens and underscores`,
	commandAndUrl: t`has a command and a url: remove one of them`,
	commandOver: (transport: string) => t`has a command, but its transport is ${transport}`,
	noStart: t`has neither a command nor a url`,
	urlOverStdio: t`has a url, but its transport is stdio`,
	variableNotSet: (name: string) => t`uses the variable ${name}, which is not set`,
	modelKey: (name: string) => t`uses ${name}: model API keys are not passed to servers`,
};

export const urlProblems = {
	scheme: t`.url must begin with http:// or https://`,
	password: t`.url contains a password: put it into a header`,
};

export function badHeader(name: string): string {
	return t`.headers: ${name} is not a valid header`;
}

/** The remarks about an entry, as ends of sentences. */
export const entryRemarks = {
	unknownKeys: (keys: readonly string[]) => t`unknown keys: ${keys.join(', ')}`,
	variablesStay: t`variables like \${NAME} are replaced only in your own mcp.json, not here`,
};

/** The reasons why the model does not get a tool, as ends of sentences about the tool. */
export const toolProblems = {
	sameName: t`another tool has that name`,
	badName: t`its name is empty or too long`,
	tooMany: (max: number) => t`at most ${max} tools of a server are used`,
	notAnObject: t`its input schema is not an object`,
	notOfTypeObject: t`its input schema is not of type object`,
	badProperties: t`the properties of its input schema are not an object`,
	badRequired: t`the required properties of its input schema are not a list of names`,
	badPropertyName: t`its input schema has a property name that models do not accept`,
	choiceAtTop: t`its input schema begins with oneOf, anyOf or allOf, which models do not accept`,
	tooLong: (maxBytes: number) => t`its input schema has more than ${maxBytes} bytes`,
	tooDeep: t`its input schema is too deep or too large`,
	prototype: t`its input schema has a property called __proto__`,
	invisible: t`its input schema has invisible characters in a name or value`,
	cycle: t`its input schema refers to itself`,
	deadReference: t`its input schema refers to something that it does not contain`,
};

/** The remarks about a server's tools, as ends of sentences about the server. */
export const toolRemarks = {
	leftOut: (name: string, problem: string) => t`its tool ${name} is left out: ${problem}`,
	more: (count: number) => t`${count} more of its tools are left out`,
	listTooLong: t`it lists more tools than inkpod reads`,
};

/** The title of the card about a call. `title` contains the names of the server and its tool. */
export function callQuestion(title: string): string {
	return t`Allow this call of ${title}?`;
}

/** The texts about a change of a file that defines servers. */
export const editTexts = {
	taken: (name: string, file: string) => t`${file} already has a server ${name}. Remove it first.`,
	absent: (name: string, file: string) => t`${file} has no server ${name}.`,
	noFile: (file: string) => t`${file} does not exist.`,
	isLink: (file: string) => t`${file} is a link, so it is not changed.`,
	changed: (file: string) => t`${file} has just changed. Try again.`,
	notWritten: (cause: string) => t`The servers were not changed: ${cause}`,
};

/** The reasons why a resource is not attached, as ends of sentences. */
export const resourceProblems = {
	noServer: t`its server is not running or not trusted`,
	notText: t`it is not text`,
};

export const promptTexts = {
	noServer: (name: string) => t`The MCP server ${name} is not running or not trusted. /mcp says why.`,
	noPrompt: (slug: string) => t`There is no prompt ${slug}.`,
	missing: (slug: string, usage: string) => t`An argument is missing. Write: ${slug} ${usage}`,
	failed: (slug: string, reason: string) => t`The prompt ${slug} failed: ${reason}.`,
};

/** The texts of the card with which a server asks the user. */
export const elicitTexts = {
	form: (server: string) => t`The MCP server ${server} asks`,
	address: (server: string) => t`The MCP server ${server} asks you to open this address`,
	answer: t`Answer`,
	decline: t`Decline`,
	opened: t`Continue: I opened it myself`,
	yes: t`Yes`,
	no: t`No`,
	optional: t`optional`,
	default: (value: string) => t`default ${value}`,
	missing: t`an answer is required`,
	chooseOne: t`choose one option`,
	noOption: t`this is not one of the options`,
	integer: t`write a whole number`,
	number: t`write a number`,
	atLeast: (count: number) => t`at least ${count}`,
	atMost: (count: number) => t`at most ${count}`,
	length: (least: number, most: number | undefined) =>
		most === undefined ? t`write at least ${least} characters` : t`write ${least} to ${most} characters`,
	format: (name: string) => t`this is not a valid ${name}`,
};
