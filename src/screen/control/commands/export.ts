import {showAlert, type App} from '../app.ts';
import {cannotExport} from '../../model/commands/texts.ts';

/** Exports the session to a file without its secrets. Resolves with a sentence when nothing was written. */
export async function exportTo(app: App, file: string): Promise<string | undefined> {
	const {exportSession} = app.options;
	if (exportSession === undefined) return cannotExport;
	const {ok, sentence} = await exportSession(file);
	if (!ok) return sentence;
	showAlert(app, {level: 'info', text: sentence});
	return undefined;
}
