import type {PermissionInfo} from '../../../pod/protocol.ts';
import {listStart, type ListState} from './list.ts';

/** The page that lists what is allowed, asked and denied. */
export type PermissionsPage = {
	readonly kind: 'permissions';
	readonly list: ListState;
	readonly permissions: readonly PermissionInfo[];
};

/** Creates the page. What you allowed on a card comes first, because only that can be removed here. */
export function permissionsPage(permissions: readonly PermissionInfo[]): PermissionsPage {
	return {kind: 'permissions', list: listStart, permissions};
}
