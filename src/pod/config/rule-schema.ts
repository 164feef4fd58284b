import {z} from 'zod';
import {t} from '../../language/index.ts';
import {matchProblem, toolProblem} from '../permissions/approval/rule.ts';
import {rulesProblem} from '../permissions/approval/rule.ts';
import {ruleActions} from '../permissions/approval/rule.ts';
import {listed, oneOf, words} from './value-schema.ts';

/** The schemas of permission rules, confinement, hooks and trusted folders. */

/**
The maximum number of characters of a tool's name and of a pattern. inkpod compares every call with every rule, so long
texts would cost time. inkpod offers the model no tool with a longer name.
*/
const maxToolLength = 128;
const maxMatchLength = 1000;

/** A rule about a tool's calls. `match` is a glob over a command, a path, or a tool's name. */
const permission = z
	.strictObject({
		tool: z.string().min(1).refine(isShort(maxToolLength), tooLong(maxToolLength)).meta({
			about: 'the tool that the rule is about',
			type: 'name of a tool, or glob',
			more: 'approvals.md',
		}),
		match: z.string().min(1).refine(isShort(maxMatchLength), tooLong(maxMatchLength)).optional().meta({
			about: 'the commands, paths or names that the rule is about',
			type: 'glob',
			fallback: 'everything',
		}),
		action: oneOf(ruleActions).meta({about: 'what happens to such a call'}),
	})
	.superRefine(({tool, match}, context) => {
		const wrongTool = toolProblem(tool);
		if (wrongTool !== undefined) return context.addIssue({code: 'custom', path: ['tool'], message: wrongTool});
		const wrongMatch = match === undefined ? undefined : matchProblem(tool, match);
		if (wrongMatch !== undefined) context.addIssue({code: 'custom', path: ['match'], message: wrongMatch});
	});

export const permissionsSchema = z
	.array(z.unknown())
	.superRefine((rules, context) => {
		const problem = rulesProblem(rules);
		if (problem !== undefined) context.addIssue({code: 'custom', message: problem});
	})
	.pipe(z.array(permission));

const paths = z
	.array(z.string().regex(/^(?:\/|~\/)/, t`must be an absolute path, or begin with ~/`))
	.max(32)
	.optional();
const confinedPaths = (about: string) => paths.meta({about, type: 'absolute paths', fallback: '[]'});

/** The settings of confined commands. */
export const confineSchema = z.strictObject({
	mode: z
		.enum(['auto', 'require', 'off'], t`must be "auto", "require" or "off"`)
		.optional()
		.meta({
			about: 'whether commands are confined; also `--no-confine`, `INKPOD_CONFINE=off`',
			fallback: '"auto"',
			more: 'confinement.md',
			variable: 'INKPOD_CONFINE',
		}),
	network: z
		.enum(['open', 'none'], t`must be "open" or "none"`)
		.optional()
		.meta({
			about: 'the network of confined commands',
			fallback: 'depends on the approval',
		}),
	show: confinedPaths('more folders and files that confined commands may read'),
	write: confinedPaths('more folders that confined commands may change'),
	caches: confinedPaths('an older name for `confine.write`'),
	env: z
		.array(z.string().regex(/^[A-Za-z_]\w*$/, t`must be the name of a variable`))
		.max(64)
		.optional()
		.meta({
			about: 'more variables that confined commands get',
			type: 'names of variables',
			fallback: '[]',
		}),
	shell: z.boolean().optional().meta({about: 'confines your own `!command`, too', fallback: 'false'}),
});

/** The settings of confined commands in a project's file. A project may only make the confinement stricter. */
export const projectConfineSchema = z.strictObject({
	mode: z
		.enum(['auto', 'require'], t`must be "auto" or "require": a project may only make confinement stricter`)
		.optional(),
	network: z.literal('none', t`must be "none": a project may only make confinement stricter`).optional(),
});

/** The events that call hooks. */
const hookEvents = ['UserPromptSubmit', 'PreToolUse', 'PostToolUse', 'PreCompact'] as const;

export const hookSchema = z.strictObject({
	event: z.enum(hookEvents, t`must be ${listed(hookEvents)}: no other event calls a hook`).meta({
		about: 'when the command runs',
		more: 'hooks.md',
	}),
	command: words(t`must be a command in quotes, or a list of a program and its arguments`)
		.refine(command => command.length > 0, t`names no program`)
		.meta({
			about: 'a command for the shell, or a program and its arguments',
			type: 'text, or list of texts',
		}),
	timeout: z.number().min(0.1).max(600).optional().meta({
		about: 'the command is stopped after this time',
		unit: 'seconds',
		fallback: '60',
	}),
});

/** The folders of projects whose files inkpod uses although another user could have written them. */
export const trustSchema = z.strictObject({
	safe_directories: z
		.array(z.string())
		.refine(
			folders => folders.every(isFolderPath),
			t`must list absolute paths of folders; "/x/*" is /x and everything below it`,
		)
		.optional()
		.meta({
			about: 'projects whose files are used although other users own them; `/x/*` is everything below `/x`',
			type: 'absolute paths',
			fallback: '[]',
		}),
});

function isFolderPath(path: string): boolean {
	return path === '/*' || path === '/' || /^(?:\/(?!\.{1,2}(?:\/|$))[^/*\0]+)+(?:\/\*)?$/.test(path);
}

function isShort(maxLength: number): (text: string) => boolean {
	return text => text.length <= maxLength;
}

/** Returns the error for a text that is too long. `abort` makes zod skip the check of the whole rule. */
function tooLong(maxLength: number): {readonly message: string; readonly abort: true} {
	return {message: t`has more than ${maxLength} characters: use a shorter glob`, abort: true};
}
