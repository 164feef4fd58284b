import {en, t} from '../../../language/index.ts';
import type {HookEnd, HookProgram} from '../../platform/hook-process.ts';
import {quoteUntrusted} from '../../ground/text/quote-untrusted.ts';

/** Returns a sentence about a hook that cancelled without a reason. */
export function cancelledText(hook: HookProgram, event: keyof typeof cancelled): string {
	return cancelled[event](nameOf(hook));
}

/** Returns a sentence that explains why the end of a hook is ignored. */
export function ignoredText(hook: HookProgram, end: HookEnd): string {
	return t`The hook ${nameOf(hook)} was ignored: ${reasonOf(end)}.`;
}

const cancelled = {
	UserPromptSubmit: (hook: string) => en`The hook ${hook} cancelled the message and gave no reason.`,
	PreToolUse: (hook: string) => en`The hook ${hook} cancelled the call and gave no reason.`,
	PostToolUse: (hook: string) => en`The hook ${hook} cancelled the run and gave no reason.`,
	PreCompact: (hook: string) => t`The hook ${hook} cancelled the compaction and gave no reason.`,
} as const;

function nameOf({command}: HookProgram): string {
	const characters = Array.from(typeof command === 'string' ? command : command.join(' '));
	return quoteUntrusted(characters.length <= 60 ? characters.join('') : `${characters.slice(0, 60).join('')}…`);
}

function reasonOf(end: HookEnd): string {
	if (end.type === 'exit') return t`it exited with code ${end.code}${end.said === '' ? '' : ` (${end.said})`}`;
	if (end.type === 'signal') return t`it was ended by ${end.name}`;
	if (end.type === 'timeout') return t`it took longer than ${end.ms / 1000} s and was stopped`;
	return t`it could not be started (${notStarted[end.code] ?? (end.code === '' ? t`unknown reason` : end.code)})`;
}

const notStarted: Readonly<Record<string, string>> = {
	ENOENT: t`no such program`,
	EACCES: t`permission denied`,
	E2BIG: t`its arguments are too long`,
	ERR_INVALID_ARG_VALUE: t`its command is empty or contains a NUL byte`,
};
