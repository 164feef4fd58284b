import {t} from '../../language/index.ts';
import {where} from '../start/options.ts';
import {onlyWord, subcommand} from '../start/subcommand.ts';
import {needsOneId, noArguments} from '../start/texts.ts';

export const deleted = subcommand({
	name: 'delete',
	words: '<id>',
	about: 'move a session to the trash',
	completes: 'sessions',
	read(words, values) {
		const id = onlyWord(words);
		return id === undefined ? needsOneId('delete') : {command: 'delete', id, ...where(values)};
	},
	async run(launch, {env, stdout, stderr}) {
		const {deleteSession} = await import('../keep/trash.ts');
		return deleteSession({...launch, env, stdout, stderr});
	},
});

export const trash = subcommand({
	name: 'trash',
	about: 'list the trash',
	options: {restore: {value: 'ID', about: 'bring one back'}, empty: {about: 'delete all for good'}, json: {}},
	read(words, {restore, empty = false, json = false}) {
		if (words.length > 0) return noArguments('trash', words);
		if (restore !== undefined && (empty || restore.trim() === ''))
			return t`inkpod trash takes --restore ID or --empty, not both.`;
		return {command: 'trash', empty, json, restore};
	},
	async run(launch, {env, stdout, stderr}) {
		const command = await import('../keep/trash.ts');
		return command.trash({...launch, env, stdout, stderr});
	},
});
