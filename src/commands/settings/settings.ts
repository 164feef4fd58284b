export {saveSetting} from '../../pod/index.ts';
