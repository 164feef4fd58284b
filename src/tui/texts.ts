/** The texts with which the help describes the keys. Other texts here describe problems with remapped keys. */

export const keyTexts = {
	submit: 'Send the message; when input is empty, continue an interrupted turn',
	steer: 'While a turn runs: deliver the message, or the first queued one, with the next request',
	'last queued first': 'Send the last queued message before the others',
	pause: 'Stop the turn; on a card, deny; in a popup, close it',
	cancel: 'Cancel the turn; when idle, clear the input; twice quits',
	'erase right or quit': 'Delete character under cursor; quit when input is empty',
	pick: 'Accept completion and keep typing; open the paste next to the cursor',
	'edit outside': 'Edit the message in $VISUAL or $EDITOR',
	'paste image': 'Attach the image in the clipboard (/paste where the terminal keeps this key)',
	'search prompts': 'Search earlier prompts of this project: Enter uses one, Tab searches all projects, Esc closes',
	'approval mode': 'Cycle approval mode (ask → accept-edits → plan; auto on offer)',
	'expand tasks': 'While a turn runs: show all tasks of the list, or fewer',
	'next child': 'Show the next child session (Esc returns to the parent)',
	'next effort': 'Next reasoning effort of the model',
	'log in': 'Enter a key for the provider of the model',
	'recent session 1': 'On the first screen: open the latest session',
	'recent session 2': 'On the first screen: open the session before it',
	'recent session 3': 'On the first screen: open the third latest session',
	suspend: 'Suspend inkpod (fg resumes it)',
	redraw: 'Redraw screen',
	'page up': 'Scroll up a page',
	'page down': 'Scroll down a page',
	'row up': 'Scroll up a row',
	'row down': 'Scroll down a row',
	top: 'Go to the top (or press Home when input is empty)',
	bottom: 'Go to the end and follow new text (or press End when input is empty)',
	'previous message': 'Previous user message',
	'next message': 'Next user message',
	'switch view': 'Switch view: normal, detail, overview',
	expand: 'Open the nearest folded block, and close it again (or click its sign)',
	'split diff': 'Show diffs side by side, or not (from 160 columns)',
	search:
		'Search the transcript (or press Ctrl+F when input is empty): Enter confirms, ' +
		'n and N go to the next and previous match, Esc closes',
	'select text': 'Select in the transcript: arrows move, Shift or Space selects, Enter or y copies, Esc ends',
	mouse: 'Turn the mouse on or off. When on, dragging copies the stored text, and Shift+drag selects in the terminal',
	'open in pager': 'View raw block in $PAGER',
	'open in editor': 'Open a copy of the raw block in $VISUAL or $EDITOR',
	'attach again': 'Attach a file on the screen again after it changed on disk',
	newline: 'Insert a newline (or type \\ and press Enter)',
	up: 'Move up, or previous prompt of this project',
	down: 'Move down, or next prompt of this project',
	'previous draft': 'Previous prompt of this project',
	'next draft': 'Next prompt of this project',
	left: 'Move left a character',
	right: 'Move right a character',
	'word left': 'Move left a word',
	'word right': 'Move right a word',
	'line start': 'Go to the start of the line',
	'line end': 'Go to the end of the line',
	'draft start': 'Go to the start of the message',
	'draft end': 'Go to the end of the message',
	'erase left': 'Delete character before cursor',
	'erase right': 'Delete character under cursor',
	'kill word left': 'Cut word before cursor',
	'kill word right': 'Cut word after cursor',
	'kill to line start': 'Cut to the start of the line',
	'kill to line end': 'Cut to the end of the line',
	yank: 'Paste last cut (yank)',
	'yank earlier': 'Cycle earlier cuts',
	undo: 'Undo',
	redo: 'Redo',
} as const;

export function unknownAction(action: string): string {
	return `Unknown action "${action}" in [keys].`;
}

export function invalidChord(chord: string, action: string): string {
	return `"${chord}" is not a key that can be assigned to "${action}".`;
}

export function keptChord(chord: string, action: string): string {
	return `"${chord}" stays assigned to "${action}", which would have no key otherwise.`;
}

export function takenChord(chord: string, action: string, by: string): string {
	return `"${chord}" is already assigned to "${by}", so it was not assigned to "${action}".`;
}
