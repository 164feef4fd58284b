import {t} from '../../language/index.ts';
import {where} from '../start/options.ts';
import {onlyWord, subcommand} from '../start/subcommand.ts';

export const imported = subcommand({
	name: 'import',
	words: 'FILE',
	about: 'make a session from a history.json or an exported JSON',
	completes: 'files',
	read(words, values) {
		const file = onlyWord(words);
		if (file === undefined) return t`inkpod import needs one file: a history.json, or an exported JSON.`;
		return {command: 'import', file, ...where(values)};
	},
	async run(launch, {env, stdout, stderr}) {
		const {importFile} = await import('../keep/import.ts');
		return importFile({...launch, env, stdout, stderr});
	},
});
