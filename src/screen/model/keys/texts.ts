import {t} from '../../../language/index.ts';

/**
The help describes the keys with the texts in `keyTexts`. The other texts in this file describe problems with remapped
keys.
*/

export const keyTexts = {
	submit: t`Send the message; when input is empty, continue an interrupted turn`,
	steer: t`While a turn runs: deliver the message, or the first queued one, with the next request`,
	'last queued first': t`Send the last queued message before the others`,
	pause: t`Stop the turn; on a card, deny; in a popup, close it`,
	cancel: t`Cancel the turn; when idle, clear the input; press it twice to quit`,
	'erase right or quit': t`Delete character under cursor; quit when input is empty`,
	pick: t`Accept completion and keep typing; open the paste next to the cursor`,
	'edit outside': t`Edit the message in $VISUAL or $EDITOR`,
	'paste image': t`Attach the image in the clipboard (or use /paste if the terminal does not send this key)`,
	'search prompts': t`Search earlier prompts of this project: Enter uses one, Tab searches all projects, Esc closes`,
	'approval mode': t`Cycle approval mode (ask → accept-edits → plan; then auto, while a notice offers it)`,
	'expand tasks': t`While a turn runs: show more tasks, or fewer`,
	'next child': t`Show the next child session (Esc returns to the parent)`,
	'next effort': t`Switch to the model’s next reasoning effort`,
	'log in': t`Enter a key for the model’s provider`,
	'recent session 1': t`On the first screen: open the latest session`,
	'recent session 2': t`On the first screen: open the session before it`,
	'recent session 3': t`On the first screen: open the third latest session`,
	suspend: t`Suspend inkpod (fg resumes it)`,
	redraw: t`Redraw screen`,
	'page up': t`Scroll up a page`,
	'page down': t`Scroll down a page`,
	'row up': t`Scroll up a row`,
	'row down': t`Scroll down a row`,
	top: t`Go to the top (or press Home when input is empty)`,
	bottom: t`Go to the end and follow new text (or press End when input is empty)`,
	'previous message': t`Previous user message`,
	'next message': t`Next user message`,
	'switch view': t`Switch view: normal, detail, overview`,
	expand: t`Expand the nearest collapsed block, or collapse it again (or click its sign)`,
	'split diff': t`Turn side-by-side diffs on or off (needs at least 160 columns)`,
	search: t`Search the transcript (or press Ctrl+F when input is empty): Enter confirms,
			n and N go to the next and previous match, Esc closes`,
	'select text': t`Select in the transcript: arrows move, Shift or Space selects, Enter or y copies, Esc ends`,
	mouse: t`Turn the mouse on or off. When on, dragging copies the stored text, and Shift+drag selects in the
		terminal`,
	'open in pager': t`View raw block in $PAGER`,
	'open in editor': t`Open a copy of the raw block in $VISUAL or $EDITOR`,
	'attach again': t`Attach a file on the screen again after it changed on disk`,
	newline: t`Insert a newline (or type \\ and press Enter)`,
	up: t`Move up, or previous prompt of this project`,
	down: t`Move down, or next prompt of this project`,
	'previous draft': t`Previous prompt of this project`,
	'next draft': t`Next prompt of this project`,
	left: t`Move left a character`,
	right: t`Move right a character`,
	'word left': t`Move left a word`,
	'word right': t`Move right a word`,
	'line start': t`Go to the start of the line`,
	'line end': t`Go to the end of the line`,
	'draft start': t`Go to the start of the message`,
	'draft end': t`Go to the end of the message`,
	'erase left': t`Delete character before cursor`,
	'erase right': t`Delete character under cursor`,
	'kill word left': t`Cut word before cursor`,
	'kill word right': t`Cut word after cursor`,
	'kill to line start': t`Cut to the start of the line`,
	'kill to line end': t`Cut to the end of the line`,
	yank: t`Paste last cut (yank)`,
	'yank earlier': t`Cycle earlier cuts`,
	undo: t`Undo`,
	redo: t`Redo`,
} as const;

export function unknownAction(action: string): string {
	return t`Unknown action "${action}" in [keys].`;
}

export function invalidChord(chord: string, action: string): string {
	return t`"${chord}" is not a key that can be assigned to "${action}".`;
}

export function keptChord(chord: string, action: string): string {
	return t`"${chord}" stays assigned to "${action}", which would have no key otherwise.`;
}

export function takenChord(chord: string, action: string, by: string): string {
	return t`"${chord}" is already assigned to "${by}", so it was not assigned to "${action}".`;
}
