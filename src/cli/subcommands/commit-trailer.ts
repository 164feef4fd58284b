import {where} from '../start/options.ts';
import {onlyWord, subcommand} from '../start/subcommand.ts';
import {needsOneId} from '../start/texts.ts';

export const commitTrailer = subcommand({
	name: 'commit-trailer',
	words: 'ID',
	about: 'print a line that names a session, for a commit message',
	completes: 'sessions',
	read(words, values) {
		const id = onlyWord(words);
		if (id === undefined && words.length > 0) return needsOneId('commit-trailer');
		return {command: 'commit-trailer', id, ...where(values)};
	},
	async run(launch, {env, stdout, stderr}) {
		const command = await import('../blame/commit-trailer.ts');
		return command.commitTrailer({...launch, env, stdout, stderr});
	},
});
