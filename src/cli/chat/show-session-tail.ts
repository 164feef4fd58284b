import {idOf, lookUpModel, pricesOf, readTail, type Plan} from '../../pod/index.ts';
import type {Screen} from '../../screen/mount/open-screen.ts';

/** Shows the end of a stored session immediately. Then it reads and checks the whole history. */
export async function showSessionTail(
	{session, model, scope}: Plan,
	screen: Pick<Screen, 'showSessionTail'>,
): Promise<void> {
	if (session.kind === 'new' || session.fork !== undefined) return;
	const {dir} = session;
	for (let length = firstBytes; length <= maxBytes; length *= 4) {
		const items = await readTail(dir, length);
		if (items === undefined) return;
		const prices = pricesOf([model.name], items, name => ({...lookUpModel(name), ...model.facts[name]}));
		if (await screen.showSessionTail({id: idOf(dir), model: model.name, scope, prices}, items)) return;
	}
}

/**
The maximum length of a file that is read as a whole, because reading the whole file takes no longer than reading a part
of it.
*/
const firstBytes = 131_072;
const maxBytes = 4_194_304;
