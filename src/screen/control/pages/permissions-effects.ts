import type {PermissionInfo} from '../../../pod/protocol.ts';
import {dismissAlerts, send, showAlert, type App} from '../app.ts';
import type {Effects} from '../effect-types.ts';
import {permissionTexts} from '../../model/pages/texts.ts';

/** Effects that remove a rule in the pod. */
export const permissionsEffects: Effects = {
	'permissions listed': app => app.changed('now'),
	'remove permission': (app, {permission}) => void remove(app, permission),
};

async function remove(app: App, permission: PermissionInfo): Promise<void> {
	dismissAlerts(app);
	const {id, source} = permission;
	if (id === undefined) {
		const text = source === 'built_in' ? permissionTexts.builtIn : permissionTexts.inFile(source);
		showAlert(app, {level: 'info', text});
		return;
	}
	// The pod asks, so that every attached terminal shows the card.
	const receipt = await send(app, {method: 'remove_permission', rule: id, asks: true});
	if (!receipt.accepted && receipt.code === 'aborted') return;
	if (!receipt.accepted) showAlert(app, {level: 'error', text: receipt.sentence});
	const client = await app.client.promise;
	// If the pod has gone away, that is reported elsewhere.
	const permissions = await client.permissions().catch(() => undefined);
	if (permissions !== undefined) app.dispatch({type: 'permissions listed', permissions});
}
