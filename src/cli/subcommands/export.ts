import {t} from '../../language/index.ts';
import {exportFormats, formatWords} from '../start/launch.ts';
import {where} from '../start/options.ts';
import {onlyWord, subcommand} from '../start/subcommand.ts';
import {needsOneId, notOneOf} from '../start/texts.ts';

export const exported = subcommand({
	name: 'export',
	words: '<id>',
	about: 'print a session without its secrets, as a page to read or as a record to check',
	completes: 'sessions',
	options: {
		format: {value: 'FORMAT', shown: 'list', completes: formatWords, about: 'md, html, json or bundle'},
		bundle: {shown: 'list', about: 'pack all that belongs to the session into one file (needs --to)'},
		to: {value: 'FILE', shown: 'list', completes: 'files', about: 'write FILE instead of printing'},
		exact: {shown: 'list', about: 'keep secrets'},
		force: {shown: 'list', about: 'replace an existing file'},
	},
	read(words, values) {
		const id = onlyWord(words);
		if (id === undefined) return needsOneId('export');
		const {bundle = false, format: name = bundle ? 'bundle' : 'md', to, exact = false, force = false} = values;
		const format = exportFormats.find(one => one === name);
		if (format === undefined) return notOneOf('--format', name, exportFormats);
		if (bundle && format !== 'bundle') return t`Use --bundle or --format, not both.`;
		if (format === 'bundle' && to === undefined)
			return t`A bundle needs a file. Name it with --to, such as --to session.tar.gz.`;
		return {command: 'export', id, format, to, exact, force, ...where(values)};
	},
	async run({format, to, ...rest}, {version, env, stdout, stderr}) {
		const {exportBundle, exportSession} = await import('../records.ts');
		return format === 'bundle'
			? exportBundle({...rest, to: to ?? '', version, env, stderr})
			: exportSession({...rest, to, format, env, stdout, stderr});
	},
});
