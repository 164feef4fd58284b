import {t} from '../../../language/index.ts';

/** These texts explain each approval mode. */
export const modeTexts = {
	ask: t`Approval: ask. Edits, commands and MCP tools need approval.`,
	'accept-edits': t`Approval: accept-edits. Files in the scope are edited without asking; commands and MCP tools
		need approval.`,
	plan: t`Plan mode: the model reads and proposes a plan. It edits no files; commands and MCP tools need approval.`,
	auto: t`Auto-approve is on: commands and MCP tools run without asking and outside any sandbox.`,
} as const;

/** Explains `auto` where commands are confined. */
export const confinedAuto = t`Auto-approve is on: commands and MCP tools run without asking. Commands are confined, MCP
	tools are not.`;

/** These texts explain the modes in a session that edits no files. */
export const readOnlyModeTexts = {
	...modeTexts,
	ask: t`Approval: ask. Commands and MCP tools need approval; this session is read-only and edits no files.`,
	'accept-edits': t`Approval: accept-edits. Commands and MCP tools need approval; this session is read-only and
		edits no files.`,
} as const;

export function changeMode(names: readonly string[]): string {
	return t` Change it with /approval ${names.join(', /approval ')}.`;
}

export function unknownMode(word: string, names: readonly string[]): string {
	return t`Unknown approval mode "${word}": use ${names.slice(0, -1).join(', ')} or ${names.at(-1)}.`;
}

/** `key` switches to `auto`. `isConfined`: commands are confined. */
export function autoOffer(key: string, isConfined: boolean): string {
	if (isConfined)
		return t` Press ${key} again for auto-approve: commands (confined) and MCP tools (not confined) run without
			asking.`;
	return t` Press ${key} again for auto-approve: commands and MCP tools run without asking and outside any sandbox.`;
}
