import { linkOutside } from "../../schemas/errors.ts";
import { isInside, realPlace } from "./real-place.ts";

/**
 * Where to write for a path: symbolic links are followed, because replacing one would cut it off. A path that stands in a project may lead
 * nowhere else, as a cloned repository may hold links; one that does not was named by the user.
 *
 * @param file absolute
 * @param project the folder of the project, absolute; absent where the path belongs to none
 * @throws CodemodeError `LINK_OUTSIDE`
 */
export function placeInProject(file: string, project: string | undefined): string {
  const place = realPlace(file);
  if (project === undefined || !isInside(project, file)) return place;
  if (!isInside(realPlace(project), place)) throw linkOutside(file, place);
  return place;
}
