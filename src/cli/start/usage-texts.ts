import {t} from '../../language/index.ts';

/** The errors in the arguments. */
export const resumeOrContinue = t`Use -c or -r, not both.`;

export const noListOptions = t`--json and --all need a subcommand, such as inkpod sessions.`;

export const formatNeedsPrint = t`--output-format only works in print mode. Add -p.`;

export const printNeedsId = t`Print mode needs a session id after -r.`;

export const notifyNeedsText = t`inkpod notify needs a session id or prefix, and a text.`;

export const attachTakesOneId = t`inkpod attach takes at most one session id or prefix.`;

export const stdioNeedsId = t`inkpod attach --stdio needs a session id or prefix.`;

export const badRemote = t`Write a session on another machine as HOST:ID. HOST is what ssh takes, and ID has at
	least 4 characters of the id.`;

export const attachStandsAlone = t`inkpod attach cannot be combined with -c, -r or --fork.`;

export const acpStandsAlone = t`inkpod acp takes folders and sessions from the editor, so it has no -p, -c, -r,
	--fork, --bg or --cwd.`;

export const badIdle = t`Invalid --idle. Use a number of minutes, such as 30.`;

export const bgStandsAlone = t`--bg cannot be combined with -p, --output-format or inkpod attach.`;

export const badMaxTurns = t`Invalid --max-turns. Use a whole number of model calls, such as 20.`;

export const badMaxCost = t`Invalid --max-cost. Use an amount in USD, such as 2.50.`;

/** `problem` is Node's message. The message ends with advice about `--` that does not help here. */
export function badOption(problem: string): string {
	const [text = problem] = problem.split('. To specify');
	return t`${optionProblem(text.replace(/\.$/, ''))}. Try inkpod --help.`;
}

/** The problems that Node reports, in the user's language. */
function optionProblem(text: string): string {
	const [, unknown] = /^Unknown option '([^']+)'$/.exec(text) ?? [];
	if (unknown !== undefined) return t`Unknown option '${unknown}'`;
	const [, missing] = /^Option '([^']+)' argument missing$/.exec(text) ?? [];
	return missing === undefined ? text : t`Option '${missing}' argument missing`;
}

export function noArguments(subcommand: string, words: readonly string[]): string {
	return t`inkpod ${subcommand} takes no arguments (got ${words.join(' ')}).`;
}

export const emptySearch = t`--search needs a text.`;

export function needsOneId(subcommand: string): string {
	return t`inkpod ${subcommand} needs one session id or prefix.`;
}

export const needsOneFile = t`inkpod import needs one file: a history.json, or an exported JSON.`;

export const restoreOrEmpty = t`inkpod trash takes --restore ID or --empty, not both.`;

/** The arguments are not repeated, because one of them may be a key. */
export function needsProvider(subcommand: 'login' | 'logout'): string {
	const key = subcommand === 'login' ? t` The key is asked for, or read from stdin.` : '';
	return t`inkpod ${subcommand} needs one provider, such as openai.${key}`;
}

export function onlyWith(option: string, subcommand: string): string {
	return t`${option.replace(' and ', t` and `)} only works with inkpod ${subcommand}.`;
}

export function notOneOf(option: string, value: string, allowed: readonly string[]): string {
	return t`Invalid ${option} "${value}". Use ${allowed.slice(0, -1).join(', ')} or ${allowed.at(-1)}.`;
}

export const planOrApproval = t`Use --plan or --approval, not both: --plan means --approval plan.`;

export const streamNeedsStream = t`--input-format stream-json needs --output-format stream-json, and takes no
	--json-schema.`;

export const mcpNeedsAction = t`inkpod mcp needs an action: serve, add, list, remove, login or logout.`;
export const mcpAddNeeds = t`Write inkpod mcp add NAME -- COMMAND ARGS, or inkpod mcp add NAME URL.`;
export const onlyForPrograms = t`--env is for servers that are programs. Use --header for an address.`;
export const onlyForUrls = t`--header is for servers with an address. Use --env for a program.`;

export function mcpNeedsName(action: string): string {
	return t`inkpod mcp ${action} needs the name of one server.`;
}

/** The value is not repeated after its name, because it may be a secret. */
export function badPair(option: string, text: string, form: string): string {
	return t`Invalid ${option} ${JSON.stringify(text.slice(0, 12))}. Write it as '${form}'.`;
}
export const bundleNeedsTo = t`A bundle needs a file. Name it with --to, such as --to session.tar.gz.`;

export const bundleOrFormat = t`Use --bundle or --format, not both.`;

export const badSpeed = t`Invalid --speed. Use a number such as 4 or 0.5.`;
