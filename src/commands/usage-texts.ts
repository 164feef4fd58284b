/** The errors in the arguments. */
export const resumeOrContinue = 'Use -c or -r, not both.';

export const noListOptions = '--json and --all need a subcommand, such as inkpod sessions.';

export const formatNeedsPrint = '--output-format only works in print mode. Add -p.';

export const printNeedsId = 'Print mode needs a session id after -r.';

export const notifyNeedsText = 'inkpod notify needs a session id or prefix, and a text.';

export const attachTakesOneId = 'inkpod attach takes at most one session id or prefix.';

export const stdioNeedsId = 'inkpod attach --stdio needs a session id or prefix.';

export const badRemote =
	'Write a session on another machine as HOST:ID. HOST is what ssh takes, and ID has at least 4 characters of the id.';

export const attachStandsAlone = 'inkpod attach cannot be combined with -c, -r or --fork.';

export const acpStandsAlone =
	'inkpod acp takes folders and sessions from the editor, so it has no -p, -c, -r, --fork, --bg or --cwd.';

export const badIdle = 'Invalid --idle. Use a number of minutes, such as 30.';

export const bgStandsAlone = '--bg cannot be combined with -p, --output-format or inkpod attach.';

export const badMaxTurns = 'Invalid --max-turns. Use a whole number of model calls, such as 20.';

export const badMaxCost = 'Invalid --max-cost. Use an amount in USD, such as 2.50.';

/** `problem` is Node's message. The message ends with advice about `--` that does not help here. */
export function badOption(problem: string): string {
	const [text = problem] = problem.split('. To specify');
	return `${text.replace(/\.$/, '')}. Try inkpod --help.`;
}

export function noArguments(subcommand: string, words: readonly string[]): string {
	return `inkpod ${subcommand} takes no arguments (got ${words.join(' ')}).`;
}

export function needsOneId(subcommand: string): string {
	return `inkpod ${subcommand} needs one session id or prefix.`;
}

export const needsOneFile = 'inkpod import needs one file: a history.json, or an exported JSON.';

export const restoreOrEmpty = 'inkpod trash takes --restore ID or --empty, not both.';

/** The arguments are not repeated, because one of them may be a key. */
export function needsProvider(subcommand: 'login' | 'logout'): string {
	const key = subcommand === 'login' ? ' The key is asked for, or read from stdin.' : '';
	return `inkpod ${subcommand} needs one provider, such as openai.${key}`;
}

export function onlyWith(option: string, subcommand: string): string {
	return `${option} only works with inkpod ${subcommand}.`;
}

export function notOneOf(option: string, value: string, allowed: readonly string[]): string {
	return `Invalid ${option} "${value}". Use ${allowed.slice(0, -1).join(', ')} or ${allowed.at(-1)}.`;
}

export const planOrApproval = 'Use --plan or --approval, not both: --plan means --approval plan.';

export const streamNeedsStream =
	'--input-format stream-json needs --output-format stream-json, and takes no --json-schema.';

export const bundleNeedsTo = 'A bundle needs a file. Name it with --to, such as --to session.tar.gz.';

export const bundleOrFormat = 'Use --bundle or --format, not both.';

export const badSpeed = 'Invalid --speed. Use a number such as 4 or 0.5.';
