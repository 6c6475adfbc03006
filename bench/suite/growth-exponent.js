/** The power of the size that the cost goes with between the two largest sizes: 1 is linear. */
export function growthExponent(points) {
  const [before, last] = points.slice(-2);
  return Math.log(last.ms / before.ms) / Math.log(last.size / before.size);
}
